#pragma once
/// Access of a server to a robot, and all that its threads touch of it: inbox, events, snapshots.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "control/core/asked_reach.h"
#include "control/core/capabilities.h"
#include "control/core/robot_config.h"
#include "control/exchange/command_inbox.h"
#include "control/exchange/event_ring.h"
#include "control/exchange/parameter_exchange.h"
#include "control/exchange/snapshot_exchange.h"
#include "remote/cycle_tap.h"
#include "remote/holder_watch.h"
#include "remote/saved_changes.h"
#include "remote/trajectory.h"

namespace jointrig::remote {

class Lease;

/// All of it outlives the server.
struct ServedRobot {
  const RobotConfig* config = nullptr;
  CommandInbox* inbox = nullptr;
  const EventRing* events = nullptr;
  const SnapshotExchange* snapshots = nullptr;
  CycleTap* cycles = nullptr;                     ///< null: nobody can follow each cycle
  const ParameterExchange* parameters = nullptr;  ///< null: they can't be read
  HolderWatch* watch = nullptr;
  std::string backend;
  std::string version;
  std::vector<std::string> notes;
  std::vector<JointCapabilities> boards = {};  ///< by joint; none: not told
  bool is_on_buses = false;                    ///< its boards are drives on a bus, real or virtual
  bool is_real = false;                        ///< drives that nobody has said to be virtual
  /// Plans a motion beside the loop; any thread. Asks meanwhile whether the plan is still wanted.
  /// Throws PlanDropped. Empty: no plans are made here.
  std::function<PlannedMotion(const Trajectory&, const std::function<bool()>& is_wanted)> plan;
  /// Joint positions for poses of tools, from where the robot is; any thread, one at a time. Throws
  /// std::invalid_argument for what makes no sense. Empty: none are looked for here.
  std::function<ReachAnswer(const AskedReach&)> reach = {};
  /// Writes parameters that differ from robot.yaml into it, or only compares; any thread, one at a
  /// time. Throws std::runtime_error with a sentence. Empty: none are written here.
  std::function<SavedChanges(bool only_compare)> save_parameters = {};
};

struct ServerOptions {
  /// HOST:PORT. Empty: no clients connect; viewers may stop the robot, and the lease is this
  /// process's.
  std::string listen = "127.0.0.1:4600";
  std::string option = "--listen";  ///< names `listen` in messages
  // Elsewhere than on the loopback all three are needed.
  std::string tls_cert;  ///< file with the server's certificate and those above it, PEM
  std::string tls_key;   ///< file with its key, PEM
  std::string token_file;
  std::size_t clients = 16;  ///< connected at once
  /// Folder whose files clients may fetch, or a single file; empty: none.
  std::string files = {};
  /// Told each change of the lease; any thread.
  std::function<void(const std::string& sentence)> tell;
};

/// Clients and the lease, as a panel shows them.
struct ServerState {
  std::size_t clients = 0;  ///< connected now, this process apart
  std::string holder;       ///< of the lease; empty: it is free
  bool is_local = false;    ///< this process holds it
};

/// This process may hold the lease as a client does, for a panel that shows the same robot. Its
/// signs of life come from the server's own thread: frozen or killed, it has no robot any more.
class Server {
 public:
  Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  /// Ends all connections; the robot's lease ends with them.
  virtual ~Server() = default;
  [[nodiscard]] virtual int port() const = 0;
  /// Stops all joints and ends the lease; any thread.
  /// @param name  of who asks
  /// @returns empty, or a sentence that tells why not
  virtual std::string stop(const std::string& name) = 0;

  // Any thread; take() waits until the loop has seen it, a cycle or two, and the others as long.

  [[nodiscard]] virtual ServerState state() const = 0;
  /// Takes the lease for this process.
  /// @param by_force  from its present holder, too
  /// @param sender    of this process's commands, in the inbox
  /// @returns empty, or a sentence that tells why not
  virtual std::string take(const std::string& name, bool by_force, std::uint16_t sender) = 0;
  /// Gives this process's lease back; no effect without one.
  virtual void release() = 0;
  /// This process has stopped the robot by a command of its own: the lease of anybody else ends.
  virtual void stopped(const std::string& name) = 0;

  // For another way in, whose clients hold the lease as those of this server do; any thread.

  [[nodiscard]] virtual Lease& lease() = 0;
  /// Number of a client for the lease, used by nobody else.
  [[nodiscard]] virtual std::uint64_t new_client() = 0;
};

/// Serves from now on. Throws std::invalid_argument or std::runtime_error with a sentence.
[[nodiscard]] std::unique_ptr<Server> make_server(const ServedRobot& robot,
                                                  const ServerOptions& options);

}  // namespace jointrig::remote
