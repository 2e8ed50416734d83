#pragma once
/// Several backends as one robot behind the port, each with joints of its own and at a rate of its
/// own: a real arm with a gripper that isn't there, a real gripper on a simulated arm.
///
///     cycle      0     1     2     3     4
///     loop       r w   r w   r w   r w   r w         one clock: that of the part which keeps time
///     every 1    r w   r w   r w   r w   r w
///     every 4    r                   w   r           read in its first cycle, told in its last
///
/// A part may run every k-th cycle of the loop. Between its samples a joint goes on, q + v t, as on
/// a bus with a cycle of its own; its capabilities tell that cycle. A part does one of its own
/// periods for every k cycles, so that it stands still while the host does, and mixed runs without
/// a real clock repeat to the bit.
///
/// Where a part has the physics of joints that others drive, it is told their positions in each
/// cycle, to lead them.
///
/// The part that keeps time ends the run. Any other that ends has lost its joints: their samples
/// count up as missed, which faults them as a lost board. Without a part that keeps time any end is
/// the run's.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "control/backend.h"
#include "sim/pacer.h"

namespace jointrig::app {

/// Takes the samples of joints that a part has in its physics and does not drive.
class LedJoints {
 public:
  LedJoints() = default;
  LedJoints(const LedJoints&) = delete;
  LedJoints& operator=(const LedJoints&) = delete;
  virtual ~LedJoints() = default;
  /// Called in the cycle: no allocation, no lock, no throw.
  virtual void lead(std::size_t joint, const JointState& sample) noexcept = 0;
};

struct JoinedPart {
  std::string name;            ///< for messages: "sim"
  Backend* backend = nullptr;  ///< outlives the joined one
  /// By the part's joints: the robot's; kNoJoint for one that another part drives.
  std::vector<JointIndex> joints{};
  bool keeps_time = false;   ///< its wait() is the loop's; at most one part
  LedJoints* led = nullptr;  ///< null: its physics has no joints of others
};

class JoinedBackend final : public Backend {
 public:
  /// Throws std::invalid_argument with a sentence: a joint in two parts or in none, a period that
  /// is no multiple of the loop's, two parts that keep time, more sensors than a state has room
  /// for.
  /// @param joints  of the robot
  /// @param pacer   where no part keeps time; null: as fast as possible
  JoinedBackend(TimeNs period_ns, std::size_t joints, std::vector<JoinedPart> parts,
                sim::Pacer* pacer = nullptr);

  [[nodiscard]] const BackendDescription& description() const noexcept override {
    return description_;
  }
  /// Throws std::runtime_error that begins with the part's name; parts that had started are
  /// stopped.
  void start() override;
  Tick wait() noexcept override;
  void read(RobotState& state) noexcept override;
  std::optional<BoardNotice> next_notice() noexcept override;
  void write(const RobotCommand& command) noexcept override;
  void stop() noexcept override;

  /// The part whose end ended the run.
  [[nodiscard]] std::optional<std::size_t> ended_by() const noexcept { return ended_by_; }

  /// This backend's own memory of each part.
  struct PartState {
    RobotState sample;  ///< newest
    bool has_ended = false;
  };
  struct State {
    std::vector<PartState> parts;
    std::uint64_t cycle = 0;
    bool first = true;
  };
  /// On the loop's thread, between cycles; the parts' own states are saved beside it.
  [[nodiscard]] State save() const;
  void restore(const State& state);

 private:
  struct Part : JoinedPart, PartState {
    std::uint64_t every = 1;  ///< cycles of the loop in one of its own
    RobotCommand command{};   ///< buffer
    /// By the part's sensors: place in the robot's state, or kLeftOut.
    std::vector<std::size_t> forces{};
    std::vector<std::size_t> imus{};
  };

  void describe(Part& part, std::vector<bool>& seen);
  [[nodiscard]] bool is_due(const Part& part) const noexcept { return cycle_ % part.every == 0; }
  [[nodiscard]] bool wait_for(std::size_t part) noexcept;
  void read(const Part& part, RobotState& state) const noexcept;
  void lead(const Part& part, const RobotState& state) noexcept;

  BackendDescription description_;
  sim::Pacer* pacer_;
  std::vector<Part> parts_;
  std::optional<std::size_t> keeper_;  ///< part that keeps time
  std::optional<std::size_t> base_;    ///< part that gives the base
  std::uint64_t cycle_ = 0;            ///< waits that were over; none is skipped
  bool first_ = true;
  std::optional<std::size_t> ended_by_;
};

}  // namespace jointrig::app
