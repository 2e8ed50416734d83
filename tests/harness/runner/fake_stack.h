#pragma once
/// A stack and robot in one, simple enough to know by heart: each joint is a second-order system
/// q'' = w² (q_ref - q) - 2 z w q' stepped at 1 ms, its reference moves at constant speed, and the
/// rules of the modes are those that the tests need. A real stack is tested elsewhere; here the
/// runner is.

#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "control/core/event.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/exchange/command_inbox.h"
#include "harness/runner/runner.h"
#include "tests/harness/runner/test_robot.h"

namespace jointrig::testing {

class FakeStack {
 public:
  explicit FakeStack(RobotConfig config) : config_(std::move(config)) {
    snapshot_ = snapshot_at(config_, 0);
    goals_.resize(config_.joints.size());
    speeds_.resize(config_.joints.size());
    boards_.resize(config_.joints.size());
    for (std::size_t i = 0; i < boards_.size(); ++i) {
      boards_[i].joint = config_.joints[i].name;
      boards_[i].drive_modes = {DriveMode::kOff, DriveMode::kTorque};
    }
  }

  double frequency = 20.0;  ///< w [rad/s]
  double damping = 0.5;     ///< z
  /// Called at the begin of each cycle, before commands are taken: the script of a test.
  std::function<void(FakeStack&)> script;

  const RobotConfig& config() const { return config_; }
  std::vector<JointCapabilities>& boards() { return boards_; }
  CommandInbox& inbox() { return inbox_; }
  Snapshot& snapshot() { return snapshot_; }
  std::vector<Event>& events() { return events_; }
  std::size_t commands_taken() const { return commands_taken_; }

  /// One cycle; the first is cycle 0.
  void cycle() {
    events_.clear();
    if (started_) {
      ++snapshot_.cycle;
      snapshot_.time_ns += config_.period_ns;
    }
    started_ = true;
    if (script) script(*this);
    inbox_.drain(32, [this](const Command& command) { take(command); });
    for (std::size_t i = 0; i < snapshot_.joints.size(); ++i) move(i);
  }

  void fault(std::size_t joint, FaultCode code) {
    snapshot_.joints[joint].mode = JointMode::kHwFault;
    snapshot_.joints[joint].fault.code = code;
    Event event = make_event(EventKind::kFault, joint);
    event.fault = code;
    event.value = 0.06;
    event.limit = 0.05;
    events_.push_back(event);
  }

 private:
  Event make_event(EventKind kind, std::size_t joint) const {
    Event event;
    event.kind = kind;
    event.time_ns = snapshot_.time_ns;
    event.cycle = snapshot_.cycle;
    event.joint = static_cast<JointIndex>(joint);
    event.mode = snapshot_.joints[joint].mode;
    return event;
  }

  /// Examines the command, with its value for the joint.
  template <typename C>
  RejectReason examine(const C& /*command*/, std::size_t /*place*/, std::size_t /*joint*/) const {
    return RejectReason::kNone;
  }
  RejectReason examine(const SetMode& command, std::size_t /*place*/, std::size_t joint) const {
    return mode_of(joint) == JointMode::kHwFault && command.mode != ModeRequest::kForceIdle
               ? RejectReason::kBoardFaulted
               : RejectReason::kNone;
  }
  RejectReason examine(const Move& command, std::size_t place, std::size_t joint) const {
    const double goal = command.values[place].q;
    if (std::isnan(goal)) return RejectReason::kNotFinite;
    if (mode_of(joint) != JointMode::kPosition) return RejectReason::kWrongMode;
    return goal > config_.joints[joint].limits.q_max ? RejectReason::kOutOfRange
                                                     : RejectReason::kNone;
  }
  RejectReason examine(const StreamPosition& command, std::size_t place, std::size_t joint) const {
    return examine_sample(command.values[place].q, JointMode::kPositionDirect, joint);
  }
  RejectReason examine(const StreamVelocity& command, std::size_t place, std::size_t joint) const {
    return examine_sample(command.values[place].v, JointMode::kVelocity, joint);
  }
  RejectReason examine(const StreamTorque& command, std::size_t place, std::size_t joint) const {
    return examine_sample(command.values[place].tau, JointMode::kTorque, joint);
  }
  RejectReason examine_sample(double sample, JointMode mode, std::size_t joint) const {
    if (std::isnan(sample)) return RejectReason::kNotFinite;
    return mode_of(joint) == mode ? RejectReason::kNone : RejectReason::kWrongMode;
  }
  JointMode mode_of(std::size_t joint) const { return snapshot_.joints[joint].mode; }

  void answer(const Command& command, RejectReason reason, std::size_t joint) {
    Event event;
    event.kind = reason == RejectReason::kNone ? EventKind::kAccepted : EventKind::kRejected;
    event.time_ns = snapshot_.time_ns;
    event.cycle = snapshot_.cycle;
    event.sender = command.sender;
    event.number = command.number;
    event.command = kind_of(command);
    event.reason = reason;
    if (reason != RejectReason::kNone) {
      event.joint = static_cast<JointIndex>(joint);
      if (joint < snapshot_.joints.size()) event.mode = snapshot_.joints[joint].mode;
    }
    events_.push_back(event);
  }

  void take(const Command& command) {
    ++commands_taken_;
    std::visit([&](const auto& request) { take(command, request); }, command.request);
  }
  template <typename C>
  void take(const Command& command, const C& request) {
    const JointSet joints = joints_of(command.request);
    for (std::size_t i = 0, place = 0; i < kMaxJoints; ++i) {
      if (!joints.test(i)) continue;
      const RejectReason reason =
          i >= config_.joints.size() ? RejectReason::kUnknownJoint : examine(request, place++, i);
      if (reason != RejectReason::kNone) {
        answer(command, reason, i);
        return;
      }
    }
    answer(command, RejectReason::kNone, 0);
    for (std::size_t i = 0, place = 0; i < kMaxJoints; ++i) {
      if (joints.test(i)) apply(request, place++, i);
    }
  }

  template <typename C>
  void apply(const C& /*command*/, std::size_t /*place*/, std::size_t /*i*/) {}
  void apply(const SetMode& command, std::size_t /*place*/, std::size_t i) {
    JointSnapshot& joint = snapshot_.joints[i];
    joint.mode = as_joint_mode(requested_mode(command.mode));
    joint.fault = {};
    goals_[i] = joint.reference.q;
    events_.push_back(make_event(EventKind::kModeChanged, i));
  }
  void apply(const SetInteraction& command, std::size_t /*place*/, std::size_t i) {
    snapshot_.joints[i].interaction = command.interaction;
  }
  void apply(const SetImpedance& command, std::size_t place, std::size_t i) {
    snapshot_.joints[i].stiffness = command.values[place].stiffness;
    snapshot_.joints[i].damping = command.values[place].damping;
  }
  void apply(const Move& command, std::size_t place, std::size_t i) {
    const Move::Value& value = command.values[place];
    start_move(i, value.q, value.speed > 0.0 ? value.speed : 1.0);
  }
  void apply(const TimedMove& command, std::size_t place, std::size_t i) {
    const TimedMove::Value& value = command.values[place];
    start_move(i, value.q, std::abs(value.q - snapshot_.joints[i].reference.q) / value.duration);
  }
  void apply(const SetJointTarget& command, std::size_t place, std::size_t i) {
    const SetJointTarget::Value& value = command.values[place];
    start_move(i, value.q, value.speed > 0.0 ? value.speed : 1.0);
  }
  void start_move(std::size_t i, double goal, double speed) {
    goals_[i] = goal;
    speeds_[i] = speed;
    snapshot_.joints[i].moving = true;
  }
  void apply(const StreamPosition& command, std::size_t place, std::size_t i) {
    goals_[i] = snapshot_.joints[i].reference.q = command.values[place].q;
  }
  void apply(const StreamTrajectory& command, std::size_t place, std::size_t i) {
    JointSnapshot& joint = snapshot_.joints[i];
    goals_[i] = joint.reference.q = command.values[place].q;
    joint.reference.v = command.values[place].v;
    joint.reference.a = command.values[place].a;
    joint.reference.tau = command.values[place].tau;
  }

  void move(std::size_t i) {
    JointSnapshot& joint = snapshot_.joints[i];
    const double dt = to_seconds(config_.period_ns);
    const double left = goals_[i] - joint.reference.q;
    const double step = speeds_[i] * dt;
    if (joint.moving && std::abs(left) <= step) {
      joint.reference.q = goals_[i];
      joint.moving = false;
      events_.push_back(make_event(EventKind::kGoalReached, i));
    } else if (joint.moving) {
      joint.reference.q += left > 0 ? step : -step;
    }
    if (joint.mode == JointMode::kIdle || joint.mode == JointMode::kHwFault) return;
    // Semi-implicit Euler, as the simulation steps.
    joint.state.v += dt * (frequency * frequency * (joint.reference.q - joint.state.q) -
                           2.0 * damping * frequency * joint.state.v);
    joint.state.q += dt * joint.state.v;
  }

  RobotConfig config_;
  std::vector<JointCapabilities> boards_;
  CommandInbox inbox_;
  Snapshot snapshot_;
  std::vector<Event> events_;
  std::vector<double> goals_;
  std::vector<double> speeds_;
  std::size_t commands_taken_ = 0;
  bool started_ = false;
};

/// A world whose truth and actions tests can see.
class FakeWorld : public harness::World {
 public:
  std::vector<std::string> log;  ///< "begin 0 at cycle 12" without the cycle: tests ask in order
  double truth_value = 0.0;

  std::vector<std::string> fault_types() const override {
    return {"encoder_freeze", "motor_off", "encoder_jump", "torque_sensor_offset"};
  }
  std::string fault_unit(std::string_view type) const override {
    return type == "encoder_jump" ? "rad" : type == "torque_sensor_offset" ? "N·m" : "";
  }
  std::vector<std::string> truth_names() const override { return {"body.hand.x"}; }
  std::optional<Handle> find_truth(std::string_view name) override {
    if (name == "body.hand.x") return 0;
    return std::nullopt;
  }
  double truth(Handle /*signal*/) const noexcept override { return truth_value; }
  Handle prepare(const harness::FaultAction& action) override {
    if (!fault_unit(action.type).empty() && std::isnan(action.value)) {
      throw harness::BadAction("", "the fault needs a value");
    }
    return next("fault " + action.type);
  }
  Handle prepare(const harness::ForceAction& action) override {
    return next("force " + (action.joint.empty() ? known(action.body) : action.joint));
  }
  Handle prepare(const harness::PayloadAction& action) override {
    return next("payload " + known(action.body));
  }
  Handle prepare(const harness::ObstacleAction& action) override {
    return next("obstacle " + action.name);
  }
  void begin(Handle action) noexcept override { log.push_back("begin " + what_[index(action)]); }
  void end(Handle action) noexcept override { log.push_back("end " + what_[index(action)]); }

 private:
  static const std::string& known(const std::string& body) {
    if (body != "hand") throw harness::BadAction("body", "there is no body \"" + body + "\"");
    return body;
  }
  static std::size_t index(Handle action) { return static_cast<std::size_t>(action); }
  Handle next(std::string what) {
    what_.push_back(std::move(what));
    return static_cast<Handle>(what_.size()) - 1;
  }
  std::vector<std::string> what_;
};

}  // namespace jointrig::testing
