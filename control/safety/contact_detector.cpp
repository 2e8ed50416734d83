#include "control/safety/contact_detector.h"

#include <algorithm>
#include <cmath>

namespace jointrig {
namespace {

constexpr double kNoiseTime = 0.5;  // s, that the noise is averaged over: a choice
constexpr double kNoises = 7.0;     // σ
constexpr double kLearns = 0.05;    // s until the noise is known: a choice

}  // namespace

std::optional<ContactDetector::Contact> ContactDetector::advance(
    const CollisionDetectionConfig& config, std::span<const Joint> joints, double dt) noexcept {
  joints_.resize(joints.size());
  std::optional<Contact> impact;
  std::optional<Contact> squish;
  double longest = 0.0;  // largest ratio of the squishes found so far
  impact_ = squish_ = 0.0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Joint& joint = joints[i];
    Memory& memory = joints_[i];
    if (!std::isfinite(joint.tau)) continue;
    if (!memory.seen) memory.slow = memory.last = joint.tau;
    memory.seen = true;
    const double change = joint.tau - memory.last;
    memory.last = joint.tau;
    memory.known = joint.is_known ? std::min(memory.known + dt, kNoiseTime) : dt;
    memory.noise += (change * change - memory.noise) * dt / memory.known;
    memory.slow += (joint.tau - memory.slow) * std::min(dt / config.impact_time, 1.0);

    const double sudden = joint.tau - memory.slow;
    const double threshold =
        std::max(joint.thresholds.impact, kNoises * std::sqrt(0.5 * memory.noise));
    const double impact_share = std::abs(sudden) / threshold;
    const bool knows_noise = memory.known > kLearns;
    if (joint.watch_impact && knows_noise && impact_share > impact_) {
      impact_ = impact_share;
      if (impact_share > 1.0) {
        impact =
            Contact{ContactKind::kImpact, static_cast<JointIndex>(i), std::abs(sudden), threshold};
      }
    }
    const double squish_share = std::abs(joint.tau) / joint.thresholds.squish;
    memory.over = joint.watch_squish && squish_share > 1.0 ? memory.over + dt : 0.0;
    if (joint.watch_squish) squish_ = std::max(squish_, squish_share);
    const bool lasts = memory.over > config.squish_time - 0.5 * dt;
    if (lasts && squish_share > longest) {
      longest = squish_share;
      squish = Contact{ContactKind::kSquish, static_cast<JointIndex>(i), std::abs(joint.tau),
                       joint.thresholds.squish};
    }
  }
  return impact ? impact : squish;
}

}  // namespace jointrig
