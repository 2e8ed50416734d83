#pragma once
/// Live data for Foxglove, Lichtblick and PlotJuggler: a server of the Foxglove WebSocket protocol
/// with the channels of the log (docs/remote.md).

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "harness/log/live_channels.h"
#include "remote/served_robot.h"

namespace jointrig::remote {

struct ViewerOptions {
  std::string listen = "127.0.0.1:8765";
  // As of ServerOptions.
  std::string tls_cert;
  std::string tls_key;
  std::string token_file;
  /// Web pages that may connect beside those of this machine and of Foxglove:
  /// "https://viewer.example".
  std::vector<std::string> origins;
  std::size_t viewers = 16;  ///< at once
  /// Of messages that wait for one viewer [bytes]; a choice: a second of seven joints at 1 kHz.
  std::size_t queue_bytes = std::size_t{4} << 20;
};

/// Viewers read, and may stop the robot; one of them commands it while it holds the lease.
class ViewerServer {
 public:
  ViewerServer() = default;
  ViewerServer(const ViewerServer&) = delete;
  ViewerServer& operator=(const ViewerServer&) = delete;
  /// Ends all connections.
  virtual ~ViewerServer() = default;

  [[nodiscard]] virtual int port() const = 0;
  /// Connected now; any thread.
  [[nodiscard]] virtual std::size_t viewers() const = 0;
  /// Takes the channels and their messages; any one thread.
  [[nodiscard]] virtual harness::LiveAudience& audience() = 0;
  /// True while anybody is connected: else nothing need be handed over. It outlives no server.
  [[nodiscard]] virtual const std::atomic<bool>& is_watched() const = 0;
};

/// Serves from now on. All of the robot, and the server of programs, whose lease viewers share,
/// outlive the viewers' one. Throws std::invalid_argument or std::runtime_error with a sentence.
[[nodiscard]] std::unique_ptr<ViewerServer> make_viewer_server(const ServedRobot& robot,
                                                               Server& server,
                                                               const ViewerOptions& options);

}  // namespace jointrig::remote
