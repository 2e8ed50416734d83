#include "remote/ros2_publisher.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "harness/log/event_text.h"
#include "remote/due_cycle.h"
#include "remote/ros2_diagnostics.h"

namespace jointrig::remote {
namespace {

/// Messages that are sent again to a reader that missed them: half a second at the usual rate.
constexpr std::int32_t kDepth = 100;
constexpr double kDiagnosticsPeriod = 0.5;      ///< [s]
constexpr double kDiagnosticsAtChanges = 0.05;  ///< at most so often [s]

std::uint64_t cycles_of(double seconds, TimeNs period_ns) {
  const double cycles = std::round(seconds / to_seconds(period_ns));
  return static_cast<std::uint64_t>(std::max(cycles, 1.0));
}

/// The sensor's where the arm has one that is well, else the estimate; null: neither.
const Six* wrench_of(const ArmForces& forces) {
  if (forces.sensor == ForceSensorState::kGood || forces.sensor == ForceSensorState::kSaturated) {
    return &forces.sensed_tool;
  }
  const bool has_sensor = forces.sensor != ForceSensorState::kNone;
  return !has_sensor && forces.has_external ? &forces.external_tool : nullptr;
}

}  // namespace

Ros2Publisher::Ros2Publisher(const ServedRobot& robot, const Lease& lease, Ros2Bus& bus,
                             const Ros2Options& options, std::uint16_t sender,
                             Ros2Refusals& refusals)
    : robot_(&robot),
      lease_(&lease),
      refusals_(&refusals),
      sender_(sender),
      cycles_each_(cycles_of(1.0 / options.rate, robot.config->period_ns)),
      cycles_between_diagnostics_(cycles_of(kDiagnosticsAtChanges, robot.config->period_ns)),
      events_(*robot.events),
      joint_states_(bus.write_to(options.joint_states, kJointStateType, kDepth)),
      clock_(bus.write_to(options.clock, kClockType, kDepth)),
      diagnostics_(bus.write_to(options.diagnostics, kDiagnosticsType, kDepth)) {
  for (const JointConfig& joint : robot.config->joints) names_.push_back(joint.name);
  for (const ArmConfig& arm : robot.config->arms) {
    wrenches_.push_back(
        bus.write_to(options.wrench + "/" + ros_word(arm.name), kWrenchType, kDepth));
  }
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Ros2Publisher::run(const std::stop_token& stop) {
  const auto now = std::make_unique<Snapshot>();
  DueCycle due(robot_->config->period_ns, cycles_each_);
  while (!stop.stop_requested()) {
    if (robot_->snapshots->read(*now) && due.take(now->cycle)) {
      publish(*now);
    } else {
      due.sleep();
    }
  }
}

void Ros2Publisher::publish(const Snapshot& now) {
  const std::size_t joints = std::min(names_.size(), now.joints.size());
  q_.resize(joints);
  v_.resize(joints);
  tau_.resize(joints);
  for (std::size_t i = 0; i < joints; ++i) {
    q_[i] = now.joints[i].state.q;
    v_[i] = now.joints[i].state.v;
    tau_[i] = now.joints[i].state.tau;
  }
  const harness::TimeStamp stamp = harness::to_stamp(now.time_ns);
  clock_->write(encode_clock(stamp, buffer_));
  joint_states_->write(encode_joint_state({stamp, "", names_, q_, v_, tau_}, buffer_));
  publish_wrenches(now, stamp);
  note_refusals();
  publish_diagnostics(now, stamp);
}

void Ros2Publisher::publish_wrenches(const Snapshot& now, harness::TimeStamp stamp) {
  for (std::size_t i = 0; i < std::min(wrenches_.size(), now.arms.size()); ++i) {
    const Six* const wrench = wrench_of(now.arms[i].forces);
    if (wrench == nullptr) continue;
    const std::string& tool = robot_->config->arms[i].tool;
    wrenches_[i]->write(encode_wrench(stamp, tool, *wrench, buffer_));
  }
}

/// Twice a second, and where a status has changed.
void Ros2Publisher::publish_diagnostics(const Snapshot& now, harness::TimeStamp stamp) {
  const std::uint64_t passed = now.cycle - told_cycle_;
  if (!told_.empty() && passed < cycles_between_diagnostics_) return;
  const Ros2Refusals::State refusals = refusals_->state();
  std::vector<DiagnosticStatus> all = diagnostics_of(
      *robot_->config, now, {lease_->now().holder_name, refusals.last, refusals.count});
  const bool is_due = passed >= cycles_of(kDiagnosticsPeriod, robot_->config->period_ns);
  if (!is_due && all == told_) return;
  diagnostics_->write(encode_diagnostics(stamp, all, buffer_));
  told_ = std::move(all);
  told_cycle_ = now.cycle;
}

/// Of commands that the loop has refused.
void Ros2Publisher::note_refusals() {
  for (Event event; events_.next(event);) {
    if (event.kind != EventKind::kRejected || event.sender != sender_) continue;
    refusals_->add(
        harness::sentence(event, *robot_->config, robot_->inbox->sender_name(event.sender)));
  }
}

}  // namespace jointrig::remote
