#include "control/planning/rotation_advice.h"

#include <fmt/core.h>

#include <cmath>

#include "control/laws/tool_error.h"
#include "control/planning/held_rotation.h"
#include "control/planning/singular_value.h"

namespace jointrig {
namespace {

std::string axis_text(FreeRotation free) {
  const std::string word(to_string(free));
  const bool is_own = word.size() > 1;
  return word.substr(word.size() - 1) + (is_own ? " of the tool" : " of the frame");
}

}  // namespace

std::optional<double> RotationAdvice::turn_with(FreeRotation free, std::span<const Placement> goals,
                                                std::span<const double> q) const {
  IkTask task;
  task.frames = frames_;
  task.free = free;
  InverseKinematics ik(tree_, {task}, joints_, ranges_);
  FrameKinematics kinematics(tree_, {frames_}, joints_);
  if (base_) ik.set_base(*base_), kinematics.set_base(*base_);
  if (offset_) ik.set_offset(0, *offset_), kinematics.set_offset(0, *offset_);
  std::optional<double> turn;
  for (const Placement& goal : goals) {
    const IkResult& result = ik.solve(std::span(&goal, 1), q);
    if (result.outcome != IkOutcome::kSolved) return std::nullopt;
    if (turn) continue;
    kinematics.update(result.q);
    turn = rotation_vector(goal.rotation.transpose() * kinematics.pose(0).rotation).norm();
  }
  return turn;
}

std::string RotationAdvice::on(std::span<const Placement> goals, std::span<const double> q) const {
  constexpr double kLess = 1e-6;  // rad: equal but for rounding
  std::optional<double> least;
  FreeRotation best = FreeRotation::kNone;
  for (const FreeRotation free : kAllFreeRotation) {
    const bool is_more = is_axis(free) ? free_ == FreeRotation::kNone
                                       : free == FreeRotation::kAll && free_ != free && !least;
    if (!is_more) continue;
    const std::optional<double> turn = turn_with(free, goals, q);
    if (!turn || (least && *turn > *least - kLess)) continue;
    least = turn;
    best = free;
  }
  if (!least) return {};
  const std::string held =
      best == FreeRotation::kAll ? "its orientation" : "the rotation about " + axis_text(best);
  return fmt::format(
      "its {} joint{} can't hold {} there: it would turn by {:.4g} rad ({:.4g}°), and "
      "\"free_rotation: {}\" leaves it free",
      joints_.size(), joints_.size() == 1 ? "" : "s", held, *least, *least * 180.0 / M_PI,
      to_string(best));
}

std::string RotationAdvice::on_singular(std::span<const double> q, double limit) const {
  constexpr double kMore = 1.0 + 1e-6;  // equal but for rounding
  double largest = limit;
  FreeRotation best = FreeRotation::kNone;
  for (const FreeRotation free : kAllFreeRotation) {
    if (!is_axis(free) || free_ != FreeRotation::kNone) continue;
    FrameKinematics kinematics(tree_, {frames_}, joints_);
    if (base_) kinematics.set_base(*base_);
    if (offset_) kinematics.set_offset(0, *offset_);
    const SingularValue value(kinematics, 0, held_weights(free, IkTask{}.weights), free, ranges_);
    kinematics.update(q);
    kinematics.update_jacobians();
    const double here = value.at(kinematics);
    if (here <= kMore * largest) continue;
    largest = here;
    best = free;
  }
  if (best == FreeRotation::kNone) return {};
  return fmt::format(
      "with \"free_rotation: {}\" the rotation about {} needn't be held, and the pose isn't "
      "singular: {:.4g} m/rad",
      to_string(best), axis_text(best), largest);
}

}  // namespace jointrig
