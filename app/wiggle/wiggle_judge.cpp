#include "app/wiggle/wiggle_judge.h"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

namespace jointrig::app {
namespace {

std::string figure(double value, int digits = 3) { return fmt::format("{:.{}g}", value, digits); }

std::string way_text(double way, bool slide) {
  constexpr double kMilli = 1e3;
  return slide ? figure(kMilli * way) + " mm" : figure(way * 180.0 / std::numbers::pi) + " deg";
}

std::string torque_text(double torque, bool slide) {
  return figure(torque) + (slide ? " N" : " N·m");
}

std::string times(double ratio) { return fmt::format("{:.1f}", ratio); }

double moved(const std::vector<double>& from, const std::vector<double>& to, std::size_t joint) {
  return to.at(joint) - from.at(joint);
}

/// Judges sign and scale: by the truth if it is known.
void judge_way(WiggleVerdict& verdict, const JointConfig& joint, const WiggleOptions& options) {
  const double reported = verdict.reported / verdict.asked;
  const double real = verdict.truth.value_or(verdict.reported) / verdict.asked;
  if (std::abs(reported - 1.0) > options.scale && std::abs(real - reported) < options.scale) {
    verdict.finding = WiggleFinding::kDoesNotFollow;
    verdict.sentence = joint.name + " does not follow: it was told " +
                       way_text(verdict.asked, joint.slide) + " and went " +
                       way_text(verdict.reported, joint.slide) +
                       ": look for a brake, an obstacle, too low a torque limit";
  } else if (real < 0.0) {
    verdict.finding = WiggleFinding::kSign;
    verdict.sentence = joint.name +
                       " moves the wrong way: polarity; turn `reversed` of its drive " +
                       (joint.drive.reversed ? "off" : "on");
  } else if (std::abs(real - 1.0) > options.scale) {
    verdict.finding = WiggleFinding::kScale;
    verdict.sentence = joint.name + " goes " + times(real) +
                       " times as far: gear; look at `gear` and `encoder_increments` of its drive";
  }
}

void judge_torque(WiggleVerdict& verdict, const JointConfig& joint, const WiggleOptions& options) {
  const double allowed = options.torque * joint.limits.tau_max + 2.0 * joint.gains.friction;
  const double off = verdict.torque - verdict.gravity;
  if (std::abs(off) <= allowed) return;
  verdict.finding = WiggleFinding::kTorque;
  verdict.sentence = joint.name + " carries " + torque_text(verdict.torque, joint.slide) +
                     " at rest where the model has " + torque_text(verdict.gravity, joint.slide) +
                     ", more than " + torque_text(allowed, joint.slide) +
                     " off: look at the rated torque and the polarity of its drive, its zero, and "
                     "for a load that the model doesn't know";
}

}  // namespace

std::optional<Mover> who_else_moves(const RobotConfig& robot, JointIndex told,
                                    const WiggleSample& from, const WiggleSample& to,
                                    const WiggleOptions& options) {
  std::optional<Mover> furthest;
  double most = options.still;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (i == told) continue;
    double way = moved(from.q, to.q, i);
    if (!to.truth.empty() && std::abs(moved(from.truth, to.truth, i)) > std::abs(way)) {
      way = moved(from.truth, to.truth, i);
    }
    const double share = std::abs(way) / amplitude(robot.joints[i], options);
    if (!(share > most)) continue;
    most = share;
    furthest = Mover{static_cast<JointIndex>(i), way};
  }
  return furthest;
}

WiggleVerdict wrong_mover(const RobotConfig& robot, JointIndex told, const Mover& mover,
                          double asked) {
  const JointConfig& joint = robot.joints[told];
  const JointConfig& other = robot.joints[mover.joint];
  WiggleVerdict verdict;
  verdict.joint = told;
  verdict.finding = WiggleFinding::kOrder;
  verdict.asked = asked;
  verdict.sentence = "joint " + other.name + " moved by " + way_text(mover.way, other.slide) +
                     " when " + joint.name +
                     " was told: nodes exchanged; look at `bus` and `node` "
                     "of the two drives";
  return verdict;
}

std::optional<WiggleVerdict> who_let_go(const RobotConfig& robot, const WiggleSample& before,
                                        const WiggleSample& now, const WiggleOptions& options) {
  WiggleOptions wider = options;
  wider.still = options.sag;
  const auto mover = who_else_moves(robot, kNoJoint, before, now, wider);
  if (!mover) return std::nullopt;
  const JointConfig& joint = robot.joints[mover->joint];
  WiggleVerdict verdict;
  verdict.joint = mover->joint;
  verdict.finding = WiggleFinding::kTorque;
  verdict.torque = now.tau.at(mover->joint);
  verdict.gravity = now.gravity.at(mover->joint);
  verdict.sentence = joint.name + " went " + way_text(mover->way, joint.slide) +
                     " when the motors came on, and all were turned off: look at `reversed`, the "
                     "rated torque, `node` and the zero of its drive, and for a load that the "
                     "model doesn't know";
  return verdict;
}

WiggleVerdict judge_wiggle(const RobotConfig& robot, JointIndex joint, const WiggleSample& rest,
                           const WiggleSample& low, const WiggleSample& high, double asked,
                           const WiggleOptions& options) {
  const JointConfig& config = robot.joints[joint];
  WiggleVerdict verdict;
  verdict.joint = joint;
  verdict.finding = WiggleFinding::kPassed;
  verdict.asked = asked;
  verdict.reported = moved(low.q, high.q, joint);
  if (!high.truth.empty()) verdict.truth = moved(low.truth, high.truth, joint);
  verdict.torque = rest.tau.at(joint);
  verdict.gravity = rest.gravity.at(joint);
  judge_way(verdict, config, options);
  if (verdict.finding == WiggleFinding::kPassed) judge_torque(verdict, config, options);
  return verdict;
}

}  // namespace jointrig::app
