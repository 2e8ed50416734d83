#include "gui/panel/sequence.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "control/motion/minimum_jerk.h"
#include "control/motion/reference_generator.h"
#include "gui/panel/quantity.h"

namespace jointrig::gui {
namespace {

std::string in_seconds(double seconds) { return fmt::format("{:.2f} s", seconds); }

/// Slightly longer than the exact time, as tolerance for rounding.
constexpr double kRoom = 1.001;

class Checker {
 public:
  Checker(const SequencePose& pose, double most) : pose_(&pose), most_(most) {}

  void add(const JointConfig& joint, double from, double goal) {
    const JointLimits& limits = joint.limits;
    if (goal < soft_min(limits) || goal > soft_max(limits)) {
      const double limit = goal < soft_min(limits) ? soft_min(limits) : soft_max(limits);
      return refuse(joint.name + " at " + show(goal, JointQuantity::kPosition, joint.slide) +
                    " is beyond its limit, " + show(limit, JointQuantity::kPosition, joint.slide));
    }
    if (!pose_->timed && (pose_->speed <= 0.0 || pose_->speed > 1.0)) {
      return refuse("the speed has to be above 0 and at most 100 %");
    }
    if (pose_->timed && pose_->time <= 0.0) return refuse("the time has to be above 0");
    if (goal == from) return;
    const MotionState start{from, 0.0, 0.0};
    const double share = std::min(pose_->timed ? 1.0 : pose_->speed, most_);
    if (pose_->timed) {
      const double least = MinimumJerk::within(start, goal, limits.v_max, limits.a_max).duration();
      if (pose_->time < least / MinimumJerk::kWithin) {
        return refuse(joint.name + " can't get there in " + in_seconds(pose_->time) +
                      ": it takes " + in_seconds(kRoom * least));
      }
    }
    const double v_max = share * limits.v_max;
    const double seconds = MinimumJerk::within(start, goal, v_max, limits.a_max).duration();
    check_.seconds =
        std::max(check_.seconds, pose_->timed ? std::max(pose_->time, seconds) : seconds);
    distances_.emplace_back(std::abs(goal - from) / limits.v_max, seconds);
  }

  PoseCheck result() {
    for (const auto& [distance, seconds] : distances_) {
      const double own = pose_->timed ? check_.seconds : seconds;
      check_.share = std::max(check_.share, 15.0 / 8.0 * distance / own);
    }
    return check_;
  }

 private:
  void refuse(std::string why) {
    if (check_.problem.empty()) check_.problem = std::move(why);
  }

  const SequencePose* pose_;
  double most_;
  PoseCheck check_;
  std::vector<std::pair<double, double>> distances_;  // in s of v_max, and the pose's own time
};

}  // namespace

std::vector<PoseCheck> check_sequence(const Sequence& sequence, const RobotConfig& config,
                                      const std::vector<double>& from, double most) {
  std::vector<double> at = from;
  std::vector<PoseCheck> checks;
  for (const SequencePose& pose : sequence.poses) {
    Checker checker(pose, most);
    for (std::size_t i = 0; i < config.joints.size() && i < pose.q.size(); ++i) {
      if (!pose.q[i]) continue;
      checker.add(config.joints[i], at[i], *pose.q[i]);
      at[i] = *pose.q[i];
    }
    checks.push_back(checker.result());
    if (joints_of(pose).none()) checks.back().problem = "it names no joint";
  }
  return checks;
}

JointSet joints_of(const SequencePose& pose) {
  JointSet joints;
  for (std::size_t i = 0; i < pose.q.size(); ++i) {
    if (pose.q[i]) joints.set(i);
  }
  return joints;
}

JointSet joints_of(const Sequence& sequence) {
  JointSet joints;
  for (const SequencePose& pose : sequence.poses) joints |= joints_of(pose);
  return joints;
}

double tidy(double q, const JointConfig& joint) {
  const double low = soft_min(joint.limits);
  const double high = soft_max(joint.limits);
  const double per_si = 100.0 * shown_unit(JointQuantity::kPosition, joint.slide).per_si;
  double counts = std::round(q * per_si);
  if (counts / per_si < low) counts = std::ceil(low * per_si);
  if (counts / per_si > high) counts = std::floor(high * per_si);
  return counts / per_si;
}

}  // namespace jointrig::gui
