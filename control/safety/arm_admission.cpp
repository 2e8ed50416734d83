#include "control/safety/arm_admission.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace jointrig {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

Refusal refuse(RejectReason reason, double value, double limit, std::size_t place) noexcept {
  return {reason, kNoJoint, value, limit, static_cast<std::uint8_t>(place + 1)};
}

Refusal check_between(double value, const Interval& range, std::size_t place) noexcept {
  if (value < range.low) return refuse(RejectReason::kOutOfRange, value, range.low, place);
  if (value > range.high) return refuse(RejectReason::kOutOfRange, value, range.high, place);
  return {};
}

Refusal check_unit_length(const std::array<double, 4>& q, std::size_t place) noexcept {
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  constexpr double kUnit = 1e-3;
  if (std::abs(norm - 1.0) > kUnit) return refuse(RejectReason::kOutOfRange, norm, 1.0, place);
  return {};
}

Refusal check_matrix(const ToolGains& gains, const Six& most, std::size_t place) noexcept {
  const Eigen::Map<const Matrix6> matrix(gains.data());
  const double largest = matrix.cwiseAbs().maxCoeff();
  const double skew = (matrix - matrix.transpose()).cwiseAbs().maxCoeff();
  constexpr double kRounding = 1e-6;
  if (skew > kRounding * largest) {
    return refuse(RejectReason::kNotDefinite, skew, kRounding * largest, place);
  }
  for (int i = 0; i < 6; ++i) {
    const auto axis = static_cast<std::size_t>(i);
    const double cap = most[axis];
    if (matrix(i, i) > cap) {
      return refuse(RejectReason::kOutOfRange, matrix(i, i), cap, place + 7 * axis);
    }
  }
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(matrix, Eigen::EigenvaluesOnly);
  const double least = solver.eigenvalues()[0];
  if (least < -1e-9 * largest) return refuse(RejectReason::kNotDefinite, least, 0.0, place);
  return {};
}

// Numbers used only in some cases, or with another interval than their field's ----------------

template <typename C>
std::optional<Interval> interval_for(const C& /*command*/, Range range, std::size_t axis,
                                     const ArmConfig& arm) noexcept {
  return interval_of(range, axis, arm);
}
std::optional<Interval> interval_for(const SetInteractionControl& command, Range range,
                                     std::size_t axis, const ArmConfig& arm) noexcept {
  std::optional<Interval> interval = interval_of(range, axis, arm);
  if (range == Range::kToolDamping && command.damping_source != DampingSource::kGiven) return {};
  if (range == Range::kDampingRatio && command.damping_source != DampingSource::kRatio) return {};
  if (range == Range::kForce && command.axes[axis] == InteractionAxis::kImpedanceWithForceLimit) {
    interval->low = 0.0;
  }
  return interval;
}

template <typename C>
Refusal check_intervals(const C& command, const ArmConfig& arm) noexcept {
  Refusal refusal;
  std::size_t place = 0;
  for_each_number(command, [&](const auto& field, std::size_t axis, double number) {
    if (!refusal) {
      if (const auto interval = interval_for(command, field.range, axis, arm)) {
        refusal = check_between(number, *interval, place);
      }
    }
    ++place;
  });
  return refusal;
}

}  // namespace

std::optional<Interval> interval_of(Range range, std::size_t axis, const ArmConfig& arm) noexcept {
  switch (range) {
    case Range::kToolStiffness:
      return Interval{0.0, arm.stiffness_max[axis]};
    case Range::kToolDamping:
      return Interval{0.0, arm.damping_max[axis]};
    case Range::kDampingRatio:
      return Interval{0.0, kMaxDampingRatio};
    case Range::kPayload:
      return Interval{0.0, arm.payload_max};
    case Range::kNearTool:
      return Interval{-1.0, 1.0};
    case Range::kToolInertia:
      return Interval{arm.inertia_min[axis], arm.inertia_max[axis]};
    case Range::kForce:
      return Interval{-arm.interaction.force_max[axis], arm.interaction.force_max[axis]};
    case Range::kPostureStiffness:
      return Interval{0.0, arm.interaction.posture_stiffness_max};
    case Range::kGrasp:
      return Interval{0.0, kLongestGrasp};
    default:
      return std::nullopt;
  }
}

Refusal check_tool_target(const ToolTargetFields& target, const std::array<double, 3>& shoulder,
                          double reach) noexcept {
  if (const Refusal r =
          check_unit_length(target.orientation, place_of<ToolTargetFields>("orientation"))) {
    return r;
  }
  double square = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double off = target.position[i] - shoulder[i];
    square += off * off;
  }
  const double distance = std::sqrt(square);
  if (distance > reach) return refuse(RejectReason::kOutOfReach, distance, reach, 0);
  return {};
}

Refusal check_arm(const SetToolStiffness& command, const ArmConfig& arm) noexcept {
  if (command.stiffness.size() == 36) return check_matrix(command.stiffness, arm.stiffness_max, 0);
  return check_intervals(command, arm);
}

Refusal check_arm(const SetToolDamping& command, const ArmConfig& arm) noexcept {
  if (command.damping.size() == 36) {
    return check_matrix(command.damping, arm.damping_max, place_of<SetToolDamping>("damping"));
  }
  return check_intervals(command, arm);
}

Refusal check_arm(const SetArmTerm& command, const ArmConfig& /*arm*/) noexcept {
  if (is_switched(command.term)) return {};
  return refuse(RejectReason::kUnsupported, as_number(command.term), 0.0, 0);
}

Refusal check_arm(const SetPayload& command, const ArmConfig& arm) noexcept {
  if (const Refusal r = check_intervals(command, arm)) return r;
  const LoadFlaw flaw = find_flaw(command.mass, command.inertia);
  if (!flaw) return {};
  return refuse(RejectReason::kNotRigid, flaw.value, flaw.limit, place_of<SetPayload>("inertia"));
}

Refusal check_arm(const SetTool& command, const ArmConfig& arm) noexcept {
  if (const Refusal r = check_intervals(command, arm)) return r;
  return check_unit_length(command.orientation, place_of<SetTool>("orientation"));
}

Refusal check_arm(const SetToolInertia& command, const ArmConfig& arm) noexcept {
  const bool is_off = std::all_of(command.inertia.begin(), command.inertia.end(),
                                  [](double number) { return number == 0.0; });
  return is_off ? Refusal{} : check_intervals(command, arm);
}

Refusal check_arm(const SetInteractionControl& command, const ArmConfig& arm) noexcept {
  if (!command.active) return {};
  const std::size_t joints = command.posture_stiffness.size();
  if (joints != 0 && joints != arm.joints.size()) {
    return {RejectReason::kSizeMismatch, kNoJoint, static_cast<double>(joints),
            static_cast<double>(arm.joints.size())};
  }
  if (const Refusal r = check_intervals(command, arm)) return r;
  return check_unit_length(command.orientation, place_of<SetInteractionControl>("orientation"));
}

Refusal check_arm(const SetCuff& command, const ArmConfig& arm) noexcept {
  return check_intervals(command, arm);
}

Refusal check_arm(const DriveTool& command, const ArmConfig& arm) noexcept {
  constexpr std::size_t kAngular = 3;  // place of the first number about an axis
  const Six& v = command.velocity;
  const double linear = std::hypot(v[0], v[1], v[2]);
  const double angular = std::hypot(v[3], v[4], v[5]);
  if (linear > arm.speed_max) return refuse(RejectReason::kOutOfRange, linear, arm.speed_max, 0);
  if (angular > arm.rotation_speed_max) {
    return refuse(RejectReason::kOutOfRange, angular, arm.rotation_speed_max, kAngular);
  }
  if (command.duration > 0.0 && command.duration <= kLongestDrive) return {};
  return refuse(RejectReason::kOutOfRange, command.duration,
                command.duration > 0.0 ? kLongestDrive : 0.0, place_of<DriveTool>("duration"));
}

}  // namespace jointrig
