#include "control/arm/arm_interaction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "control/laws/tool_wrench.h"

namespace jointrig {
namespace {

constexpr double kStiffest = 2.0 * std::numbers::pi * 5.0;  // rad/s, of max_impedance

/// An axis that a hand moves: under impedance, without stiffness.
bool is_free(const InteractionSettings& s, std::size_t i, double stiffness) noexcept {
  return has_spring(s.axes[i]) && stiffness == 0.0 && s.damping_source != DampingSource::kGiven &&
         !s.undamped_force;
}

bool is_force(InteractionAxis axis) noexcept { return !has_spring(axis); }

/// Damping of a single axis, if damping is not set by ratio, and of axes under force control.
double own_damping(const InteractionSettings& s, const ArmConfig& config, std::size_t i,
                   double stiffness) noexcept {
  if (is_force(s.axes[i])) {
    if (s.undamped_force) return 0.0;
    return s.damping_source == DampingSource::kGiven ? s.damping[i]
                                                     : config.interaction.force_damping[i];
  }
  if (s.damping_source == DampingSource::kGiven) return s.damping[i];
  return config.interaction.damping[i] * std::sqrt(stiffness / config.stiffness_max[i]);
}

/// The ratio that sets the damping of springs; none where numbers do.
std::optional<double> ratio_of(const InteractionSettings& s, const ArmConfig& config) noexcept {
  if (s.damping_source == DampingSource::kRatio) return s.damping_ratio;
  const bool has_numbers =
      s.damping_source == DampingSource::kGiven || config.interaction.damping != Six{};
  return has_numbers ? std::nullopt : std::optional(config.damping_ratio);
}

}  // namespace

void ArmInteraction::set(const InteractionSettings& settings) noexcept {
  const bool goes_on = active_ && settings.axes == settings_.axes &&
                       settings.frame == settings_.frame && settings.point == settings_.point &&
                       settings.orientation == settings_.orientation;
  if (!goes_on) feedback_.restart();
  settings_ = settings;
  stiffness_ = as_vector(settings.stiffness);
  active_ = is_new_ = true;
}

void ArmInteraction::find_stiffness(const ArmSetup& setup, const ToolInertia& felt,
                                    const Eigen::Matrix3d& axes) noexcept {
  const Matrix6 mobility = turned(felt.mobility(), axes.transpose());
  for (std::size_t i = 0; i < 6; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (!has_spring(settings_.axes[i])) stiffness_[k] = 0.0;
    if (!has_spring(settings_.axes[i]) || !settings_.is_max_impedance[i]) continue;
    const double mass = 1.0 / std::max(mobility(k, k), felt.floor());
    const double least = setup.config.stiffness_max[i];
    stiffness_[k] = std::clamp(mass * kStiffest * kStiffest, least,
                               std::max(least, setup.config.interaction.impedance_max[i]));
  }
}

InteractionLaw ArmInteraction::law(const ArmSetup& setup, const ToolInertia& felt,
                                   const Eigen::Matrix3d& axes) const noexcept {
  const ArmConfig& config = setup.config;
  InteractionLaw law;
  law.axes = settings_.axes;
  law.stiffness = stiffness_;
  law.force = as_vector(settings_.force);
  law.motion_max = as_vector(config.interaction.motion_max);
  law.wall_stiffness = as_vector(config.stiffness_max);
  law.error_max = as_vector(config.error_max);
  law.rotation_max = settings_.turns_freely ? std::numeric_limits<double>::infinity()
                                            : config.interaction.rotation_max;
  law.turns_with_tool = settings_.frame == ToolFrame::kTool;
  const std::optional<double> ratio = ratio_of(settings_, config);
  Matrix6 stiffness = turned(Matrix6(stiffness_.asDiagonal()), axes);
  law.springs_are_cut = felt.cut(stiffness, setup.bounds.stiffness, law.share);
  if (law.springs_are_cut) law.share = turned(law.share, axes.transpose());
  if (ratio) law.damping = turned(felt.damping(stiffness, *ratio), axes.transpose());
  for (std::size_t i = 0; i < 6; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (is_free(settings_, i, stiffness_[k])) continue;
    if (ratio && !is_force(settings_.axes[i])) continue;
    law.damping(k, k) = own_damping(settings_, config, i, stiffness_[k]);
  }
  damp_free_axes(law, setup.guide_rate, felt, axes);
  return law;
}

/// Along axes that a hand moves the tool slows as a guided arm does: D = α Λ, of these axes alone.
void ArmInteraction::damp_free_axes(InteractionLaw& law, double rate, const ToolInertia& felt,
                                    const Eigen::Matrix3d& axes) const noexcept {
  std::array<bool, 6> free{};
  for (std::size_t i = 0; i < 6; ++i) {
    free[i] = is_free(settings_, i, stiffness_[static_cast<Eigen::Index>(i)]);
  }
  if (rate <= 0.0 || std::none_of(free.begin(), free.end(), [](bool is) { return is; })) return;
  const Matrix6 inertia = turned(felt.inertia(), axes.transpose());
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const auto row = static_cast<Eigen::Index>(i);
      const auto column = static_cast<Eigen::Index>(j);
      if (free[i] && free[j]) law.damping(row, column) += rate * inertia(row, column);
    }
  }
}

ArmInteraction::Pull ArmInteraction::pull(const ArmSetup& setup, const ArmMotion& motion,
                                          const Placement& target,
                                          const ArmForces& forces) noexcept {
  const Eigen::Vector3d point(settings_.point[0], settings_.point[1], settings_.point[2]);
  const std::array<double, 4>& q = settings_.orientation;
  const Eigen::Matrix3d axes =
      motion.axes_of(settings_.frame) *
      Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  const ToolState tool = moved_to(motion.tool, point);
  const Placement reference{target.position + target.rotation * point, target.rotation};
  ToolInertia felt;
  felt.update(tool.jacobian, moved_by(motion.mass_solved, motion.tool.pose.rotation * point));
  if (is_new_) find_stiffness(setup, felt, axes);
  is_new_ = false;
  InteractionLaw now = law(setup, felt, axes);
  const InteractionConfig& config = setup.config.interaction;
  if (config.force_feedback > 0.0) {
    const Vector6 at_point =
        moved_wrench(as_vector(forces.sensed), motion.tool.pose.position, tool.pose.position);
    const Vector6 sensed = turned_wrench(at_point, axes.transpose());
    const bool is_good = forces.sensor == ForceSensorState::kGood && !forces.taring;
    now.force = feedback_.advance(settings_.axes, config.force_feedback, now.force,
                                  is_good ? &sensed : nullptr, config.force_max, setup.dt);
  }
  return {interact(now, axes, tool, reference), tool.jacobian};
}

void ArmInteraction::describe(InteractionSnapshot& out) const noexcept {
  out.active = active_;
  if (!active_) return;
  out.axes = settings_.axes;
  out.stiffness = as_plain(stiffness_);
  out.force = settings_.force;
}

}  // namespace jointrig
