#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>

#include <httplib.h>

namespace ndnf {

/// The connections that have a thread, and for how long each has kept it waiting.
class ConnectedClients {
 public:
  using Clock = std::chrono::steady_clock;

  void enter(int socket);
  void leave(int socket);
  /// The next request of this client may begin now.
  void begin_request(int socket);
  /// Whether its thread waits for this client to send or to take something.
  void set_waiting(int socket, bool waiting);
  /// Ends the connection whose request has made its thread wait for longest; it is closed by that thread.
  void end_slowest();
  /// From now on no thread waits for a client.
  void end_all() { ending_ = true; }
  bool ending() const { return ending_; }

  std::size_t count() const;

 private:
  struct Client {
    Clock::time_point since;
    bool waiting = false;
  };
  mutable std::mutex mutex_;
  std::map<int, Client> clients_;
  std::atomic<bool> ending_{false};
};

/// What a client may use up.
struct ClientLimits {
  std::size_t clients = 128;         ///< Served at once, a thread for each.
  std::size_t head_bytes = 1 << 16;  ///< Of the first line and the headers of a request.
  std::size_t body_bytes = 4 << 20;
  std::chrono::seconds to_send{5};   ///< A whole request, however evenly its bytes drip in.
  std::chrono::seconds to_take{10};  ///< Some bytes of the answer.
};

/// An HTTP server whose clients cannot block it. cpp-httplib limits the time between two bytes, not that of a
/// request, and no number of headers; here both are limited, and if all threads are taken the client that
/// keeps one waiting for longest has to go for a new one.
class BoundedServer final : public httplib::Server {
 public:
  explicit BoundedServer(const ClientLimits& limits = {});
  /// Ends it without waiting for clients that say nothing.
  void end();

 private:
  bool process_and_close_socket(socket_t socket) override;

  ClientLimits limits_;
  ConnectedClients clients_;
};

}  // namespace ndnf
