#include "ndnf/server/bounded_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ndnf {
namespace {

using Clock = ConnectedClients::Clock;

constexpr std::string_view kEndOfHead = "\r\n\r\n";

/// One connection. Reading fails once a request has taken too long or is too large.
class ClientStream final : public httplib::Stream {
 public:
  ClientStream(int socket, const ClientLimits& limits, ConnectedClients& clients)
      : socket_(socket), limits_(limits), clients_(clients) {}

  void begin_request() {
    deadline_ = Clock::now() + limits_.to_send;
    left_ = limits_.head_bytes;
    matched_ = 0;
    body_ = 0;
    clients_.begin_request(socket_);
  }

  /// A request may be refused before its body of this length was read. Returns whether the rest could be
  /// skipped, so that the next request is not taken from it.
  bool skip_body(std::uint64_t length) {
    std::array<char, 4096> rest{};
    while (body_ < length) {
      if (read(rest.data(), std::min<std::uint64_t>(rest.size(), length - body_)) <= 0) return false;
    }
    return true;
  }
  /// Says that nothing more is read, and lets the client notice before what it still sends is an error to it.
  void linger() {
    ::shutdown(socket_, SHUT_WR);
    deadline_ = Clock::now() + std::chrono::seconds(1);
    while (fill()) {
    }
  }

  bool is_readable() const override { return begin_ < end_ || wait_for(POLLIN, deadline_); }
  bool is_writable() const override { return wait_for(POLLOUT, Clock::now() + limits_.to_take); }

  ssize_t read(char* to, std::size_t size) override {
    if (begin_ == end_ && !fill()) return -1;
    const std::size_t count = std::min({size, end_ - begin_, left_});
    if (count == 0) return -1;
    std::memcpy(to, buffer_.data() + begin_, count);
    begin_ += count;
    left_ -= count;
    if (matched_ == kEndOfHead.size()) body_ += count;
    watch_for_body({to, count});
    return static_cast<ssize_t>(count);
  }

  ssize_t write(const char* from, std::size_t size) override {
    if (!is_writable()) return -1;
    return ::send(socket_, from, size, MSG_NOSIGNAL);
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip = "127.0.0.1";
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override { get_remote_ip_and_port(ip, port); }
  socket_t socket() const override { return socket_; }

 private:
  bool wait_for(short events, Clock::time_point until) const {
    pollfd one{socket_, events, 0};
    if (::poll(&one, 1, 0) > 0) return true;
    clients_.set_waiting(socket_, true);
    constexpr int kMilliseconds = 100;  // between two looks at the time
    int ready = 0;
    while (ready == 0 && !clients_.ending() && Clock::now() < until) {
      ready = ::poll(&one, 1, kMilliseconds);
      if (ready < 0 && errno == EINTR) ready = 0;
    }
    clients_.set_waiting(socket_, false);
    return ready > 0;
  }

  bool fill() {
    if (Clock::now() >= deadline_ || !is_readable()) return false;
    const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
    begin_ = 0;
    end_ = got > 0 ? static_cast<std::size_t>(got) : 0;
    return got > 0;
  }

  /// After the empty line that ends the headers there may be a body.
  void watch_for_body(std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size() && matched_ < kEndOfHead.size(); ++i) {
      matched_ = bytes[i] == kEndOfHead[matched_] ? matched_ + 1 : bytes[i] == '\r' ? 1 : 0;
      if (matched_ == kEndOfHead.size()) {
        left_ += limits_.body_bytes;
        body_ = bytes.size() - i - 1;
      }
    }
  }

  int socket_;
  const ClientLimits& limits_;
  ConnectedClients& clients_;
  Clock::time_point deadline_{};
  std::size_t left_ = 0;     ///< Bytes that the request may still have.
  std::size_t matched_ = 0;  ///< Characters of kEndOfHead that came last.
  std::uint64_t body_ = 0;   ///< Bytes of its body that were read.
  std::array<char, 4096> buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// A thread for each client.
class ClientThreads final : public httplib::TaskQueue {
 public:
  ClientThreads(std::size_t most, ConnectedClients& clients)
      : threads_(most), most_(most), clients_(clients) {}

  void enqueue(std::function<void()> work) override {
    if (clients_.count() >= most_) clients_.end_slowest();
    threads_.enqueue(std::move(work));
  }
  void shutdown() override { threads_.shutdown(); }

 private:
  httplib::ThreadPool threads_;
  std::size_t most_;
  ConnectedClients& clients_;
};

}  // namespace

void ConnectedClients::enter(int socket) {
  const std::lock_guard lock(mutex_);
  clients_[socket] = {Clock::now(), false};
}

void ConnectedClients::leave(int socket) {
  const std::lock_guard lock(mutex_);
  clients_.erase(socket);
}

void ConnectedClients::begin_request(int socket) {
  const std::lock_guard lock(mutex_);
  clients_[socket].since = Clock::now();
}

void ConnectedClients::set_waiting(int socket, bool waiting) {
  const std::lock_guard lock(mutex_);
  clients_[socket].waiting = waiting;
}

void ConnectedClients::end_slowest() {
  const std::lock_guard lock(mutex_);
  const auto later = [](const auto& a, const auto& b) {
    if (a.second.waiting != b.second.waiting) return b.second.waiting;
    return a.second.since > b.second.since;
  };
  const auto slowest = std::max_element(clients_.begin(), clients_.end(), later);
  if (slowest == clients_.end() || !slowest->second.waiting) return;
  ::shutdown(slowest->first, SHUT_RDWR);
  slowest->second.waiting = false;  // the next one to go is another
}

std::size_t ConnectedClients::count() const {
  const std::lock_guard lock(mutex_);
  return clients_.size();
}

BoundedServer::BoundedServer(const ClientLimits& limits) : limits_(limits) {
  new_task_queue = [this] { return new ClientThreads(limits_.clients, clients_); };
  set_payload_max_length(limits_.body_bytes);
}

void BoundedServer::end() {
  stop();
  clients_.end_all();
}

bool BoundedServer::process_and_close_socket(socket_t socket) {
  clients_.enter(socket);
  bool good = true;
  {
    ClientStream stream(socket, limits_, clients_);
    bool closed = false;
    for (std::size_t left = keep_alive_max_count_; good && !closed && left > 0; --left) {
      stream.begin_request();
      if (svr_sock_ == INVALID_SOCKET || !stream.is_readable()) break;
      std::uint64_t length = 0;
      good = process_request(stream, left == 1, closed, [&length](httplib::Request& request) {
        constexpr auto kUnknown = UINT64_MAX;
        length = request.has_header("Transfer-Encoding")
                     ? kUnknown
                     : request.get_header_value<std::uint64_t>("Content-Length");
      });
      good = stream.skip_body(length) && good;
    }
    if (!good) stream.linger();
  }
  clients_.leave(socket);
  ::shutdown(socket, SHUT_RDWR);
  ::close(socket);
  return good;
}

}  // namespace ndnf
