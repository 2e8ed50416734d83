#pragma once
/// A robot in this process, for the module: backend, stack and loop as `jointrig run` makes them,
/// in lockstep with their caller. Time stands still between two calls of step().
///
///     construct   cycle 0 has run: the snapshot holds the robot's first state
///     post        a command waits in the inbox
///     step        cycles run; each takes the commands that wait, as in a scenario
///
/// A command that is posted while cycle k is the last one acts in cycle k + 1, like that of a
/// scenario's step. So the same commands in the same cycles give the same state hash.
///
/// One thread at a time: a second one is refused (Busy), it doesn't wait. Nothing here knows
/// Python.

#include <any>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "app/rig/saved_parameters.h"
#include "control/core/asked_reach.h"
#include "control/core/asked_trajectory.h"
#include "control/core/command.h"
#include "control/core/event.h"
#include "control/core/plan_report.h"
#include "control/exchange/parameter_exchange.h"
#include "control/planning/asked_planner.h"
#include "harness/log/robot_log.h"
#include "harness/runner/effective_yaml.h"
#include "harness/runner/plan_desk.h"
#include "harness/runner/world.h"
#include "python/recording.h"

namespace jointrig::python {

struct SessionOptions {
  std::string robot;     ///< a name or a path, as for find_robot()
  std::string settings;  ///< keys of robot.yaml, over the file's; YAML, so JSON too; empty: none
  std::optional<BackendKind> backend;       ///< none: the robot's
  std::optional<std::uint64_t> seed;        ///< none: the robot's
  std::optional<double> speed_override;     ///< none: 1
  std::vector<std::string> payload_bodies;  ///< bodies that get a payload while the robot runs
  /// That may be placed while it runs: name, shape and size of each.
  std::vector<harness::ObstacleAction> obstacles;
  std::filesystem::path log;  ///< empty: no log is written
};

/// Error: the session is in use by another thread.
class Busy : public std::runtime_error {
 public:
  Busy() : std::runtime_error("this Sim is stepping in another thread: one thread at a time") {}
};

/// Why step() returned.
enum class StepEnd : std::uint8_t { kDone, kRefused, kEnded };

/// A fault or a disturbance, by number.
using Disturbance = harness::World::Handle;

class Session {
 public:
  /// The whole state between two cycles: stack, physics, boards, disturbances that act. Commands
  /// that wait in the inbox are no part of it.
  struct Saved;

  /// Throws FileError, ModelError, ConfigError, std::invalid_argument or std::runtime_error with a
  /// sentence.
  explicit Session(const SessionOptions& options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Marks the session as in use while it lives. Throws Busy.
  class Use {
   public:
    explicit Use(Session& session) : busy_(&session.busy_) {
      if (busy_->exchange(true, std::memory_order_acquire)) throw Busy();
    }
    ~Use() { busy_->store(false, std::memory_order_release); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    std::atomic<bool>* busy_;
  };

  // The following functions are called under a Use.

  /// Runs at most `cycles`. Ends after the cycle in which a command was refused, and when the
  /// backend ends the run.
  StepEnd step(std::uint64_t cycles);

  /// Posts a command as if computed from the present snapshot; returns its number. Throws
  /// std::runtime_error if the inbox is full.
  std::uint64_t post(const Request& request);

  /// Plans a trajectory from the joints' references, or from the plan that they follow, and posts
  /// the command that follows it; of a tool from the joints' references. Returns its number; throws
  /// as post().
  std::uint64_t follow(const AskedTrajectory& asked);

  /// Plans and checks as follow() does, and nothing follows the plan. Throws as follow().
  [[nodiscard]] PlanReport plan(const AskedTrajectory& asked);

  /// Joint positions that bring tools to poses, from where the robot is; nothing moves. Throws
  /// std::invalid_argument for what makes no sense, and ModelError.
  [[nodiscard]] ReachAnswer reach(const AskedReach& asked);

  /// The refusals of the last step(), in their order.
  [[nodiscard]] const std::vector<Event>& refusals() const noexcept { return refusals_; }
  /// All events since the last call. At most kKeptEvents are kept, the newest ones.
  std::vector<Event> take_events();
  [[nodiscard]] std::uint64_t events_lost() const noexcept { return events_lost_; }
  /// As a scenario or a log words it.
  [[nodiscard]] std::string sentence_of(const Event& event) const;

  /// Throws std::runtime_error with a sentence if the backend can't be saved.
  [[nodiscard]] std::shared_ptr<const Saved> save();
  /// Continues from a state of this robot with the same settings. Throws std::invalid_argument for
  /// a state of another one, std::runtime_error while a log is written.
  void restore(const Saved& saved);

  /// Records what the coming cycles are asked, and what befalls the world, from what acts already;
  /// forgets what was recorded before.
  void record() { recording_.start(snapshot()); }
  /// The record, up to the present cycle, as a scenario file. Throws std::invalid_argument: no
  /// record, or no steps do all of it.
  [[nodiscard]] std::string scenario(const app::ScenarioWords& words) const {
    return recording_.scenario(words, config(), snapshot().time_ns);
  }

  /// Begins a fault or a disturbance. Throws BadAction.
  template <typename Action>
  Disturbance disturb(const Action& action) {
    const Disturbance handle = world().prepare(action);
    acting_.resize(static_cast<std::size_t>(handle) + 1, false);
    action_steps_.resize(acting_.size());
    action_steps_.back() = harness::in_one_line(harness::ActionStep{action, {}, {}, {}});
    begin(handle);
    return handle;
  }
  void begin(Disturbance handle);
  void end(Disturbance handle);
  /// A signal of the truth (harness::World), now. Throws UnknownName.
  [[nodiscard]] double truth(const std::string& name);
  /// Throws std::runtime_error where there is no physics.
  [[nodiscard]] harness::World& world();

  /// Writes the end of the log, and stops the backend; step() is not called any more. Throws
  /// std::runtime_error if the log could not be written.
  void close();

  [[nodiscard]] std::uint64_t hash() const noexcept { return rig_->hash(); }
  [[nodiscard]] std::string why_ended() const { return rig_->why_ended(); }
  [[nodiscard]] std::string backend() { return rig_->backend().description().name; }
  /// A sentence for each thing that the robot lacks here, or whose loop has no margin.
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }
  [[nodiscard]] const RobotConfig& config() const noexcept { return rig_->stack().config(); }
  /// Parameters in force, of which set_parameter is one way to change them.
  [[nodiscard]] ParameterTable parameters() const;
  /// Writes those that differ from robot.yaml, or only compares: the difference. Throws as
  /// app::SavedParameters.
  std::string save_parameters(bool only_compare);
  /// Its address stays as long as the session.
  [[nodiscard]] const Snapshot& snapshot() const noexcept { return rig_->stack().snapshot(); }

  static constexpr std::size_t kKeptEvents = 100'000;  ///< a choice: some 10 MB

 private:
  void open_log(const std::filesystem::path& path);
  void take_answers();
  void write_log();

  std::unique_ptr<app::Rig> rig_;
  std::unique_ptr<harness::World> world_;
  std::unique_ptr<harness::RobotLog> log_;
  std::optional<harness::PlanDesk> plans_;
  std::optional<AskedPlanner> planner_;
  std::uint64_t planned_ = 0;  ///< number of the last plan's command
  Recording recording_;
  std::optional<EventRing::Reader> reader_;
  std::optional<app::SavedParameters> saved_;
  std::deque<Event> events_;
  std::vector<Event> refusals_;
  std::vector<bool> acting_;               ///< by Disturbance
  std::vector<std::string> action_steps_;  ///< likewise: the steps that begin them
  std::vector<std::string> notes_;
  std::uint64_t events_lost_ = 0;
  std::uint64_t number_ = 0;  ///< of the last command
  std::uint16_t sender_ = 0;
  std::atomic<bool> busy_{false};
};

struct Session::Saved {
  RobotConfig config;
  Stack::State stack;
  std::any backend;
  Snapshot snapshot;
  std::vector<bool> acting;
  std::uint64_t number = 0;
};

}  // namespace jointrig::python
