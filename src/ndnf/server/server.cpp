#include "ndnf/server/server.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <sys/random.h>
#include <sys/socket.h>

#include "ndnf/server/bounded_server.h"
#include "ndnf/studio/page_files.h"

namespace ndnf {
namespace {

constexpr const char* kLoopback = "127.0.0.1";
/// Requests that compute at the same time; the others wait.
constexpr int kEngines = 4;

constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
    "'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string random_token() {
  std::array<unsigned char, 24> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error("", "the system gives no random numbers");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

/// In a time that does not depend on where they differ.
bool same(std::string_view a, std::string_view b) {
  unsigned char difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < b.size(); ++i)
    difference =
        static_cast<unsigned char>(difference | (static_cast<unsigned char>(b[i]) ^
                                                 static_cast<unsigned char>(i < a.size() ? a[i] : 0)));
  return difference == 0;
}

std::string media_type(const std::string& file) {
  if (file.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (file.ends_with(".css")) return "text/css; charset=utf-8";
  if (file.ends_with(".svg")) return "image/svg+xml";
  return "text/html; charset=utf-8";
}

/// Lets a few through at a time.
class Turnstile {
 public:
  explicit Turnstile(int free) : free_(free) {}
  template <class Work>
  auto pass(Work work) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return free_ > 0; });
      --free_;
    }
    struct Leaving {
      Turnstile& gate;
      ~Leaving() {
        {
          const std::lock_guard lock(gate.mutex_);
          ++gate.free_;
        }
        gate.changed_.notify_one();
      }
    } leaving{*this};
    return work();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int free_;
};

class StudioServer {
 public:
  explicit StudioServer(Studio& studio) : studio_(studio), token_(random_token()), engines_(kEngines) {
    server_.set_tcp_nodelay(true);
    server_.set_socket_options([this](int socket) {  // not SO_REUSEPORT: a port has one studio
      socket_ = socket;
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server_.set_default_headers({{"Content-Security-Policy", kPolicy},
                                 {"X-Content-Type-Options", "nosniff"},
                                 {"Referrer-Policy", "no-referrer"},
                                 {"Cross-Origin-Opener-Policy", "same-origin"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"},
                                 {"Cache-Control", "no-store"}});
    server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return admit(request, response);
    });
    server_.set_exception_handler(
        [](const httplib::Request&, httplib::Response& response, std::exception_ptr) {
          fail(response, 500, "something went wrong in the studio");
        });
    add_routes();
  }

  void bind(std::uint16_t port) {
    if (port == 0) {
      port_ = server_.bind_to_any_port(kLoopback);
      if (port_ <= 0) throw Error("", fmt::format("no port of {} can be used", kLoopback));
    } else {
      if (!server_.bind_to_port(kLoopback, port))
        throw Error(argument("port"), fmt::format("{} is in use, perhaps by another studio", port),
                    "choose another, or leave it out");
      port_ = port;
    }
    // The library lets five clients wait to be accepted; more that come at once would wait for seconds.
    if (::listen(socket_, SOMAXCONN) != 0) throw Error("", "the studio cannot be reached");
    host_ = fmt::format("{}:{}", kLoopback, port_);
  }
  /// The token is behind the #, which browsers send to no server and in no Referer.
  std::string address() const { return fmt::format("http://{}/#{}", host_, token_); }

  void run(const ServeOptions& options) {
    std::thread listener([this] { server_.listen_after_bind(); });
    if (options.on_ready) options.on_ready(address());
    while (!(options.stop && options.stop())) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ending_ = true;
    studio_.trainings().stop_all();
    server_.end();
    listener.join();
  }

 private:
  static void fail(httplib::Response& response, int status, const std::string& sentence) {
    response.status = status;
    response.set_content(error_json(Error("", sentence)).dump(), "application/json");
  }

  /// Of a request whose body is not read, so that the connection ends.
  static httplib::Server::HandlerResponse refuse_unread(httplib::Response& response, int status,
                                                        const char* why) {
    fail(response, status, why);
    response.set_header("Connection", "close");
    return httplib::Server::HandlerResponse::Handled;
  }

  /// Other pages of the browser, and names that resolve to this machine, are kept out by Host and Origin;
  /// other users and programs of the machine by the token.
  httplib::Server::HandlerResponse admit(const httplib::Request& request, httplib::Response& response) const {
    const auto refuse = [&response](int status, const char* why) {
      fail(response, status, why);
      return httplib::Server::HandlerResponse::Handled;
    };
    const std::string host = request.get_header_value("Host");
    const std::string local = fmt::format("localhost:{}", port_);
    if (host != host_ && host != local) return refuse(403, "this host is not the studio's");
    if (request.has_header("Origin") && request.get_header_value("Origin") != "http://" + host)
      return refuse(403, "requests of other pages are refused");
    // Only a length that is told beforehand is limited before it is read.
    if (request.method != "GET" &&
        (request.has_header("Transfer-Encoding") || !request.has_header("Content-Length")))
      return refuse_unread(response, 411, "a request tells its length");
    if (request.get_header_value<std::uint64_t>("Content-Length") > ClientLimits{}.body_bytes)
      return refuse_unread(response, 413, "the request is too large");
    if (!request.path.starts_with("/api/")) return httplib::Server::HandlerResponse::Unhandled;
    if (!same(request.get_header_value("X-Ndnf-Token"), token_))
      return refuse(401, "open the address that the studio printed");
    return httplib::Server::HandlerResponse::Unhandled;
  }

  void add_routes() {
    for (const auto& [name, contents] : page_files()) {
      const auto give = [&contents = contents, type = media_type(name)](const httplib::Request&,
                                                                        httplib::Response& response) {
        response.set_content(contents, type);
      };
      if (name == "index.html") server_.Get("/", give);
      server_.Get("/" + name, give);
    }
    server_.Post("/api/([a-z]+)", [this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
    });
    server_.Get(
        "/api/trainings/([0-9]{1,9})/events",
        [this](const httplib::Request& request, httplib::Response& response) { follow(request, response); });
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    const nlohmann::json body =
        request.body.empty() ? nlohmann::json::object() : nlohmann::json::parse(request.body, nullptr, false);
    if (body.is_discarded()) return fail(response, 400, "the request is not JSON");
    try {
      const auto reply = engines_.pass([&] { return studio_.answer(request.matches[1], body); });
      response.set_content(reply.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace),
                           "application/json");
    } catch (const Error& error) {
      response.status = 422;
      response.set_content(error_json(error).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                           "application/json");
    } catch (const std::bad_alloc&) {
      fail(response, 507, "out of memory");
    }
  }

  /// Server-sent events; the number of each is its id.
  void follow(const httplib::Request& request, httplib::Response& response) {
    const std::size_t id = std::stoul(request.matches[1]);
    try {
      studio_.trainings().news(id, 0, std::chrono::milliseconds(0));
    } catch (const Error& error) {
      return fail(response, 404, error.what());
    }
    const auto from = std::make_shared<std::size_t>(0);
    response.set_chunked_content_provider(
        "text/event-stream", [this, id, from](std::size_t, httplib::DataSink& sink) {
          const Trainings::News news = studio_.trainings().news(id, *from, std::chrono::milliseconds(500));
          std::string text;
          for (const std::string& event : news.events)
            text += fmt::format("id: {}\ndata: {}\n\n", (*from)++, event);
          if (text.empty()) text = ": still here\n\n";  // so that a client that has gone is noticed
          if (!sink.write(text.data(), text.size())) return false;
          if (news.over || ending_) sink.done();
          return true;
        });
  }

  Studio& studio_;
  const std::string token_;
  Turnstile engines_;
  BoundedServer server_;
  std::string host_;
  int port_ = 0;
  int socket_ = -1;
  std::atomic<bool> ending_{false};
};

}  // namespace

void serve(Studio& studio, const ServeOptions& options) {
  StudioServer server(studio);
  server.bind(options.port);
  server.run(options);
}

}  // namespace ndnf
