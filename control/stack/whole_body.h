#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "control/core/robot_config.h"
#include "control/safety/admission.h"
#include "control/stack/event_reporter.h"
#include "control/stack/joints.h"
#include "control/stack/placed_model.h"
#include "control/stack/torque_wish.h"
#include "control/wholebody/balance_lead.h"
#include "control/wholebody/core.h"
#include "control/wholebody/managers.h"
#include "control/wholebody/reference_body.h"

namespace jointrig {

/// The whole-body controller of a robot on feet: torques of all joints, by one program per cycle
/// (control/wholebody/core.h).
///
///     centre of mass    L̇ = m (k (c_d - c) - d ċ), and the angular momentum dies away
///     `upright` frames  keep the orientation of the start
///     managers          what messages ask of chest, head, pelvis and hands
///                       (control/wholebody/managers.h)
///     posture           joints are pulled to where they were at the start, with small weights
///     feet              stand still, unless a message has unloaded one
///
/// c_d begins where the centre of mass is, and goes at shift_speed to the middle of the soles plus
/// the shift that is commanded.
///
/// It is one of the robot's laws (UserLaws), named kWholeBodyLaw: switched, shifted, logged and
/// blended in as one, and its torques meet the limits as those of any law do. It runs while all
/// joints are in mode torque. Joints that are asked for that mode before the base is known hold
/// until it is (torque_wish.h).
///
/// In mode inverse_kinematics it gives no torques. The program moves a robot of the controller's
/// own (reference_body.h), whose joints are the references of the joints, in mode position; the
/// centre of mass of that robot is led so that the measured one stays in balance (balance_lead.h).
/// A joint that is stopped or moved by anybody ends that, until its law or a mode is asked for
/// anew.
///
///     off     its law is off, or waits
///     stands  the program's torques, or references. Without a solution the last ones stay for
///             hold_time
///     damped  the robot fell, or there was no solution: the torques oppose motion alone, until the
///             law is switched on again; of joints that follow positions the references go with
///             the joints
///
/// Functions are for the cycle unless they say otherwise.
class WholeBody {
 public:
  enum class Phase : std::uint8_t { kOff, kStands, kDamped };

  /// Why it gave up, in this cycle.
  struct Failure {
    LawFailure why = LawFailure::kNoSolution;
    double value = 0.0;
    double limit = 0.0;
    double direction = 0.0;  ///< of a fall, from ahead, to the left above 0 [rad]
  };

  /// Request of its law.
  struct Wish {
    bool runs = false;    ///< its law is on and all joints are free for it, and may_run()
    bool asked = false;   ///< the same without may_run()
    bool failed = false;  ///< its law is shut out: the torques only damp
    std::span<const double> parameters{};
  };

  /// State that is saved and restored by assignment.
  struct State {
    Phase phase = Phase::kOff;
    Eigen::Vector3d home = Eigen::Vector3d::Zero();  ///< of the centre of mass, unshifted [m]
    Eigen::Vector3d goal = Eigen::Vector3d::Zero();  ///< of the centre of mass, in this cycle [m]
    Eigen::Matrix3d heading = Eigen::Matrix3d::Identity();  ///< axes of the shift
    Eigen::Vector3d up = Eigen::Vector3d::UnitZ();          ///< in the base frame, at the start
    std::vector<Eigen::Matrix3d> upright;                   ///< wanted orientations
    std::vector<Eigen::Vector3d> ground;                    ///< of each sole, where it bears [m]
    std::array<double, kMaxFeet> unloaded{};  ///< by foot: time without a force that was to be [s]
    ByJoint posture;                          ///< wanted positions, by joint of the model
    std::vector<double> tau;                  ///< by joint of the robot, for its law
    std::vector<double> signals;
    double unsolved = 0.0;  ///< time without a solution [s]
    /// As last seen, by joint of the model: a message that comes before the next cycle is judged
    /// and begins by it. Empty: nothing was seen.
    BaseState base;
    std::vector<double> q;
    std::vector<double> v;
    std::array<std::uint64_t, kAllBodyConstraint.size()> gave_way{};  ///< cycle after the last
    std::optional<BalanceState> balance;                              ///< as last told
    MessageId last_message = 0;                                       ///< that was taken
    std::optional<Failure> failure;                                   ///< of this cycle
    TorqueWish torque_wish;
    // In mode inverse_kinematics:
    bool is_leading = false;     ///< it led the joints in the cycle before
    bool was_taken = false;      ///< a joint that it led was stopped or moved
    std::vector<double> offset;  ///< reference less place at the start, by joint of the model
    double away = 0.0;           ///< largest of the references from the joints, less that [rad, m]
    BalanceLead lead;
    ReferenceBody::State reference;
    WholeBodyCore::Memory core;
    BodyManagers::State managers;
  };

  /// Throws ConfigError: the section doesn't fit the robot. Without a section, or with a pinned
  /// base, nothing is done in any cycle.
  explicit WholeBody(const RobotConfig& config);

  [[nodiscard]] bool is_there() const noexcept { return parts_ != nullptr; }
  /// Its place among the robot's laws; kNoLaw without a controller.
  [[nodiscard]] LawIndex law() const noexcept { return law_; }

  /// Whether a message would be taken; and takes one that was accepted. Before advance().
  template <IsMessage C>
  [[nodiscard]] Refusal check(const C& message) const noexcept {
    return refusal_of(fault_of(plain(message)));
  }
  template <IsMessage C>
  void take(const C& message) noexcept {
    take_plain(plain(message));
  }

  /// Says whether anybody knows where the base is, and where the soles press; in each cycle, before
  /// wish_of().
  void know_base(bool is_known, const SolePressure& pressure) noexcept {
    knows_base_ = is_known;
    pressure_ = pressure;
  }
  /// False: its law waits until the base is known. One that stands goes on, for hold_time.
  [[nodiscard]] bool may_run() const noexcept {
    return (knows_base_ || state_.phase != Phase::kOff) && !state_.was_taken;
  }
  /// It leads the joints in mode position, in place of giving torques.
  [[nodiscard]] bool leads() const noexcept {
    return parts_ != nullptr && config_.mode == CoreMode::kInverseKinematics;
  }
  /// A mode was asked for: it may lead joints that were taken from it, from where they are.
  void lead_anew() noexcept;
  /// Mode torque that waits for the base.
  [[nodiscard]] TorqueWish& torque_wish() noexcept { return state_.torque_wish; }
  [[nodiscard]] bool holds() const noexcept { return state_.torque_wish.is_there(); }
  /// A foot is on the ground, or is to be; all are while it is off.
  [[nodiscard]] bool is_on_ground(std::size_t foot) const noexcept;

  /// Runs one cycle, before the laws.
  void advance(PlacedModel& placed, Joints joints, const Wish& wish,
               EventReporter& events) noexcept;

  /// Torques to add to those that carry the joints, by joint of the robot [N·m or N].
  [[nodiscard]] std::span<const double> torques() const noexcept { return state_.tau; }
  [[nodiscard]] std::span<const double> signals() const noexcept { return state_.signals; }
  /// Why it gave up in this cycle; nothing if it didn't.
  [[nodiscard]] const std::optional<Failure>& failure() const noexcept { return state_.failure; }

  /// A copy. Allocates: not for the cycle.
  [[nodiscard]] State state() const;
  void restore(const State& state);

 private:
  struct Parts;

  static Refusal refusal_of(const MessageFault& fault) noexcept {
    return {.reason = fault.reason,
            .value = fault.value,
            .limit = fault.limit,
            .place = fault.place,
            .waypoint = fault.waypoint};
  }
  /// A message as the managers know it: the kinds of a family are one to them.
  template <typename C>
  [[nodiscard]] static C plain(const C& message) noexcept {
    return message;
  }
  template <BodyTopic kTopic>
  [[nodiscard]] static PathMessage plain(const BodyTrajectory<kTopic>& message) noexcept {
    return path_message(message);
  }
  template <BodyTopic kTopic>
  [[nodiscard]] static AccelerationMessage plain(
      const DesiredAccelerations<kTopic>& message) noexcept {
    return acceleration_message(message);
  }
  template <std::size_t kMost>
  [[nodiscard]] static StepMessage plain(const Footsteps<kMost>& message) noexcept {
    return step_message(message);
  }
  // For each kind that plain() gives, in whole_body.cpp.
  template <typename Plain>
  [[nodiscard]] MessageFault fault_of(const Plain& message) const noexcept;
  template <typename Plain>
  void take_plain(const Plain& message) noexcept;

  void act(PlacedModel& placed, Joints joints, const Wish& wish, EventReporter& events) noexcept;
  void tell(EventReporter& events) noexcept;
  [[nodiscard]] bool see(PlacedModel& placed, Joints joints) noexcept;
  void begin(Joints joints) noexcept;
  void balance() noexcept;
  void lead(Joints joints, EventReporter& events) noexcept;
  void sink(Joints joints) noexcept;
  void let_go(Joints joints) noexcept;
  [[nodiscard]] bool is_taken(Joints joints) const noexcept;
  void stand(std::span<const double> parameters, EventReporter& events) noexcept;
  [[nodiscard]] double leaning() const noexcept;
  void look_for_a_fall() noexcept;
  void tell_balance(EventReporter& events) noexcept;
  void look_for_lost_ground(EventReporter& events) noexcept;
  [[nodiscard]] double missing_force(std::size_t foot) const noexcept;
  void move_goal(std::span<const double> parameters) noexcept;
  void want() noexcept;
  void solve(EventReporter& events) noexcept;
  void go_without(LawFailure why) noexcept;
  void fail(LawFailure why, double value, double limit) noexcept;
  void give_torques(const PlacedModel& placed, Joints joints) noexcept;
  void show() noexcept;
  void show_values() noexcept;
  void report(const WholeBodySolution& answer, EventReporter& events) noexcept;
  void tell_constraint(BodyConstraint what, double place, double way,
                       EventReporter& events) noexcept;

  double dt_;
  WholeBodyConfig config_;
  LawIndex law_ = kNoLaw;
  bool knows_base_ = true;
  SolePressure pressure_;         ///< in this cycle
  std::shared_ptr<Parts> parts_;  ///< room for the program; null: no controller
  State state_;
  MessageNotices notices_;  ///< of this cycle
};

/// Names, units and meanings of its law's signals, in their order.
std::vector<BodySignalWords> body_signals(const RobotConfig& robot);

/// Adds the controller's law to a robot that has the section and no such law yet, with its
/// parameters and signals. Throws ConfigError.
void add_whole_body_law(RobotConfig& robot);

}  // namespace jointrig
