#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "control/core/law_config.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/safety/admission.h"
#include "control/stack/event_reporter.h"
#include "control/stack/external_forces.h"
#include "control/stack/joints.h"
#include "control/stack/law_declaration.h"
#include "control/stack/placed_model.h"
#include "control/stack/whole_body.h"

namespace jointrig {

/// The call of a law that is under way, for a watch in another thread (app/rig/law_watch.h).
struct LawCall {
  std::atomic<std::uint64_t> number{0};  ///< odd while a law runs
  std::atomic<LawIndex> law{kNoLaw};
};

/// Laws of one's own (core/user_law.h): their torques, and the end of a law that fails.
///
/// A law runs while all its joints are free for it (JointControl::is_free_for_law). Its torque
/// comes in over JointLaw::kBlendTime, and goes out likewise when it is switched off; where its
/// joints change their mode their own laws blend. Then it counts as part of the joint's law: the
/// limits follow.
///
/// A law that throws, or gives a torque that is no number, is shut out in that cycle, and one that
/// exceeds its budget kPatience cycles in a row: its joints hold, an event names it. Its time is
/// processor time, so that a busy computer shuts no law out of a simulation; where a clock paces
/// the cycles it is time on the clock.
///
/// Functions are for the cycle unless they say otherwise.
class UserLaws {
 public:
  static constexpr int kPatience = 3;  ///< cycles: a choice; a first call reads cold memory

  /// State that is saved and restored by assignment.
  struct One {
    std::vector<double> parameters;
    std::vector<double> memory;
    std::vector<double> signals;
    std::vector<double> tau;  ///< by its joints, of its last cycle [N·m or N]
    double share = 0.0;       ///< 0..1 of it that is added
    int late = 0;             ///< cycles in a row beyond its budget
    bool on = true;
    bool failed = false;
    LawState shown = LawState::kOff;
  };
  struct State {
    std::vector<One> laws;
  };

  /// Throws ConfigError. Call before the first cycle.
  UserLaws(const RobotConfig& config, const PlacedModel& model);

  void set_paced(bool is_paced) noexcept { is_paced_ = is_paced; }
  [[nodiscard]] const LawCall& call() const noexcept { return call_; }

  [[nodiscard]] Refusal check(LawIndex law) const noexcept;
  [[nodiscard]] Refusal check(const SetLawParameter& command) const noexcept;
  /// Executes a command that check() accepted.
  void take(const SwitchLaw& command) noexcept;
  void take(const SetLawParameter& command) noexcept;

  /// Whether the whole-body controller is switched on, and hasn't failed.
  [[nodiscard]] bool is_on(const WholeBody& body) const noexcept;
  /// Task of the whole-body controller in this cycle, by its law.
  [[nodiscard]] WholeBody::Wish wish_of(const WholeBody& body, ConstJoints joints) const noexcept;

  /// Runs one cycle, after the arms and the whole-body controller.
  /// @param time  on the robot's clock [s]
  void advance(PlacedModel& model, Joints joints, const WholeBody& body,
               std::span<const ExternalTorque> external, double time,
               EventReporter& events) noexcept;

  /// Torque of all laws on a joint, in this cycle [N·m or N].
  [[nodiscard]] double torque(std::size_t joint) const noexcept { return torques_[joint]; }
  /// @param shown, signals  written, never read; signals of all laws
  void publish(PerLaw<LawSnapshot>& shown, std::span<double> signals) const noexcept;

  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state);

 private:
  /// Constants of a law, and room for its inputs.
  struct Setup {
    LawConfig config;
    DeclaredLaw declared;
    std::vector<FrameId> frames;
    std::vector<double> q, v, tau_board;
    double took = 0.0;   // s, in the last cycle
    bool waits = false;  // in this cycle, whatever modes there are
    bool holds = false;  // in this cycle its joints hold until it can run
  };
  class Model;

  void advance_one(std::size_t i, Model& model, Joints joints, double time,
                   EventReporter& events) noexcept;
  [[nodiscard]] bool may_run(std::size_t i, std::span<const JointControl> controls) const noexcept;
  /// Takes over what the whole-body controller has computed.
  void take_over(std::size_t i, const WholeBody& body, EventReporter& events) noexcept;
  void blend(std::size_t i) noexcept;
  /// One call. Returns false if it threw.
  bool run(std::size_t i, Model& model, Joints joints, double time) noexcept;
  void shut_out(std::size_t i, LawFailure why, JointIndex joint, double value, double limit,
                Joints joints, EventReporter& events) noexcept;
  void show(std::size_t i, LawState state, EventReporter& events) noexcept;

  double dt_;
  std::vector<Setup> setups_;
  std::vector<double> torques_;  // by joint of the robot
  Eigen::MatrixXd inertia_;      // room for the model's
  FrameJacobian jacobian_;       // likewise
  State state_;
  bool is_paced_ = false;
  LawCall call_;
};

}  // namespace jointrig
