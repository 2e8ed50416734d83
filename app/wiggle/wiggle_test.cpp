#include "app/wiggle/wiggle_test.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "control/motion/reference_generator.h"

namespace jointrig::app {
namespace {

constexpr double kToHold = 3.0;  // s: time until all motors are on
// s: time in which the integral parts compensate errors of the model.
constexpr double kToTakeUp = 2.0;
constexpr double kToSettle = 0.5;  // s: after a motion; a choice
constexpr double kAtGoal = 1e-3;   // tolerance, as a share of the motion
constexpr double kLook = 0.1;      // s: time over which a sample is averaged
constexpr int kTries = 3;          // attempts for a motion that is cut short
/// Peak speed of a path of least jerk over its mean speed (control/motion/minimum_jerk.h).
constexpr double kPeak = 15.0 / 8.0;

}  // namespace

WiggleTest::WiggleTest(WiggledRobot& robot, const WiggleOptions& options, Truth truth)
    : robot_(&robot),
      options_(options),
      truth_(std::move(truth)),
      user_(robot.config(), robot.inbox(), "wiggle"),
      model_(robot.config()) {
  placed_.joints.resize(robot.config().joints.size());
}

void WiggleTest::cycle() {
  if (!robot_->step()) throw std::runtime_error("the backend ended the wiggle test");
}

WiggleSample WiggleTest::now() {
  const Snapshot& snapshot = robot_->snapshot();
  WiggleSample sample;
  placed_.base = snapshot.base;
  for (std::size_t i = 0; i < snapshot.joints.size(); ++i) {
    const JointState& state = snapshot.joints[i].state;
    sample.q.push_back(state.q);
    sample.tau.push_back(state.tau);
    placed_.joints[i].q = state.q;
    if (truth_) sample.truth.push_back(truth_(static_cast<JointIndex>(i)));
  }
  model_.update(placed_);
  for (std::size_t i = 0; i < sample.q.size(); ++i) {
    sample.gravity.push_back(model_.gravity(static_cast<JointIndex>(i)));
  }
  return sample;
}

WiggleSample WiggleTest::mean_over(double seconds) {
  const double period = to_seconds(robot_->config().period_ns);
  const int cycles = std::max(1, static_cast<int>(std::lround(seconds / period)));
  WiggleSample sum = now();
  const auto add = [](std::vector<double>& to, const std::vector<double>& from) {
    std::transform(to.begin(), to.end(), from.begin(), to.begin(), std::plus<>());
  };
  for (int i = 1; i < cycles; ++i) {
    cycle();
    const WiggleSample next = now();
    add(sum.q, next.q);
    add(sum.tau, next.tau);
    add(sum.gravity, next.gravity);
    add(sum.truth, next.truth);
  }
  for (std::vector<double>* all : {&sum.q, &sum.tau, &sum.gravity, &sum.truth}) {
    for (double& value : *all) value /= cycles;
  }
  return sum;
}

std::optional<WiggleVerdict> WiggleTest::hold_all() {
  const RobotConfig& robot = robot_->config();
  cycle();
  const WiggleSample before = now();
  user_.set_mode(user_.select("all"), ModeRequest::kPosition);
  user_.set_interaction(user_.select("all"), InteractionMode::kStiff);
  const auto holds = [&](const JointSnapshot& joint) {
    return joint.mode == JointMode::kPosition && joint.state.status == BoardStatus::kEnabled;
  };
  const auto& joints = robot_->snapshot().joints;
  const double period = to_seconds(robot.period_ns);
  double waited = 0.0;
  for (double held = 0.0; held < kToTakeUp && waited < kToHold + kToTakeUp; waited += period) {
    cycle();
    if (auto verdict = who_let_go(robot, before, now(), options_)) {
      let_go();
      return verdict;
    }
    held = std::all_of(joints.begin(), joints.end(), holds) ? held + period : 0.0;
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (holds(joints[i])) continue;
    std::string state(to_string(joints[i].mode));
    if (joints[i].fault) state += " (" + std::string(to_string(joints[i].fault.code)) + ")";
    let_go();
    throw std::runtime_error(robot.joints[i].name + " can't be held: it is in " + state +
                             "; calibrate it, or clear its fault, first");
  }
  return std::nullopt;
}

void WiggleTest::let_go() {
  user_.set_mode(user_.select("all"), ModeRequest::kIdle);
  for (int i = 0; i < 10; ++i) {
    if (!robot_->step()) return;
  }
}

std::vector<WiggleVerdict> WiggleTest::run(const std::vector<JointIndex>& joints,
                                           const std::function<bool(WiggleVerdict&)>& told) {
  std::vector<WiggleVerdict> verdicts;
  if (auto fallen = hold_all()) {
    verdicts.push_back(*fallen);
    if (told) static_cast<void>(told(verdicts.back()));
    return verdicts;
  }
  for (const JointIndex joint : joints) {
    WiggleVerdict& verdict = verdicts.emplace_back(wiggle(joint));
    const bool goes_on = !told || told(verdict);
    // After an error of one drive the next motion would be unsafe.
    if (!goes_on || verdict.finding != WiggleFinding::kPassed) break;
  }
  // The motors stay on until the owner of the robot stops it, as at the end of a scenario.
  return verdicts;
}

WiggleVerdict WiggleTest::wiggle(JointIndex joint) {
  for (int tries = 0; tries < kTries; ++tries) {
    if (const auto verdict = there_and_back(joint)) return *verdict;
    // The part holds until a mode is asked for: a link that lost a few samples does not mean a
    // wrong drive.
    if (const auto fallen = hold_all()) return *fallen;
  }
  return broken(
      joint,
      fmt::format("its motion was refused or cut short {} times: somebody else stops it, or its "
                  "part holds, since the link to its drive or to another of the part loses samples",
                  kTries));
}

WiggleVerdict WiggleTest::broken(JointIndex joint, const std::string& why) const {
  WiggleVerdict verdict;
  verdict.joint = joint;
  verdict.sentence = robot_->config().joints[joint].name + ": " + why;
  return verdict;
}

std::optional<WiggleVerdict> WiggleTest::there_and_back(JointIndex joint) {
  const RobotConfig& robot = robot_->config();
  const JointLimits& limits = robot.joints[joint].limits;
  const WiggleSample rest = mean_over(kLook);
  const double at = robot_->snapshot().joints[joint].reference.q;
  const double by = amplitude(robot.joints[joint], options_);
  // A joint at its limit moves to the other side alone.
  const double up = std::min(at + by, soft_max(limits));
  const double down = std::max(at - by, soft_min(limits));
  if (up - down < 0.5 * by) return broken(joint, "its soft limits leave no room to move in");
  WiggleSample ends[2];
  for (const int end : {1, 0}) {
    const double goal = end == 1 ? up : down;
    if (const auto mover = go(joint, goal, rest)) {
      return wrong_mover(robot, joint, *mover, up - down);
    }
    const JointSnapshot& now = robot_->snapshot().joints[joint];
    if (now.mode != JointMode::kPosition) {
      return broken(joint, "it left position mode while it moved, its fault is " +
                               std::string(to_string(now.fault.code)));
    }
    if (std::abs(now.reference.q - goal) > kAtGoal * by) return std::nullopt;
    ends[end] = mean_over(kLook);
  }
  if (const auto mover = go(joint, at, rest)) return wrong_mover(robot, joint, *mover, up - down);
  return judge_wiggle(robot, joint, rest, ends[0], ends[1], up - down, options_);
}

std::optional<Mover> WiggleTest::go(JointIndex joint, double goal, const WiggleSample& rest) {
  const Snapshot& snapshot = robot_->snapshot();
  const double way = std::abs(goal - snapshot.joints[joint].reference.q);
  const double speed = kPeak * way / options_.seconds;
  const JointLimits& limits = robot_->config().joints[joint].limits;
  user_.move(JointSet{}.set(joint), goal, std::min(speed, limits.v_max));
  cycle();
  double settled = 0.0;
  while (settled < kToSettle) {
    cycle();
    if (const auto mover = who_else_moves(robot_->config(), joint, rest, now(), options_)) {
      user_.stop(user_.select("all"));
      let_go();
      return mover;
    }
    if (!snapshot.joints[joint].moving) settled += to_seconds(robot_->config().period_ns);
  }
  return std::nullopt;
}

}  // namespace jointrig::app
