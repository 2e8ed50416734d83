#pragma once
/// What a server is given, and all that its threads touch of a robot: inbox, events, snapshots.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/exchange/command_inbox.h"
#include "control/exchange/event_ring.h"
#include "control/exchange/snapshot_exchange.h"
#include "remote/holder_watch.h"
#include "remote/trajectory.h"

namespace jointrig::remote {

/// All of it outlives the server.
struct ServedRobot {
  const RobotConfig* config = nullptr;
  CommandInbox* inbox = nullptr;
  const EventRing* events = nullptr;
  const SnapshotExchange* snapshots = nullptr;
  HolderWatch* watch = nullptr;
  std::string backend;
  std::string version;
  std::vector<std::string> notes;
  /// Plans a motion beside the loop; any thread. Empty: no plans are made here.
  std::function<PlannedMotion(const Trajectory&)> plan;
};

struct ServerOptions {
  std::string listen = "127.0.0.1:4600";
  // Elsewhere than on the loopback all three are needed.
  std::string tls_cert;  ///< file with the server's certificate and those above it, PEM
  std::string tls_key;   ///< file with its key, PEM
  std::string token_file;
  std::size_t clients = 16;  ///< connected at once
  /// Told each change of the lease; any thread.
  std::function<void(const std::string& sentence)> tell;
};

class Server {
 public:
  Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  /// Ends all connections; the robot's lease ends with them.
  virtual ~Server() = default;
  [[nodiscard]] virtual int port() const = 0;
};

/// Serves from now on. Throws std::invalid_argument or std::runtime_error with a sentence.
[[nodiscard]] std::unique_ptr<Server> make_server(const ServedRobot& robot,
                                                  const ServerOptions& options);

}  // namespace jointrig::remote
