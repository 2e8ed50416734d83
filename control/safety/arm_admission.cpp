#include "control/safety/arm_admission.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "control/core/interaction_command.h"

namespace jointrig {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

Refusal refuse(RejectReason reason, double value, double limit) noexcept {
  return {reason, kNoJoint, value, limit};
}

Refusal check_between(double value, double low, double high) noexcept {
  if (value < low) return refuse(RejectReason::kOutOfRange, value, low);
  if (value > high) return refuse(RejectReason::kOutOfRange, value, high);
  return {};
}

constexpr std::size_t kMostInteractionNumbers = kAtPostureStiffness + kMaxArmJoints;

/// How many numbers a kind takes; the first that fits is the answer to a wrong size.
bool fits(CommandKind kind, std::size_t size) noexcept {
  switch (kind) {
    case CommandKind::kSetToolTarget:
    case CommandKind::kStreamToolTarget:
      return size == 7;
    case CommandKind::kSetToolStiffness:
      return size == 6 || size == 36;
    case CommandKind::kSetToolDamping:
      return size == 1 || size == 6 || size == 36;
    case CommandKind::kSetArmTerm:
      return size == 2;
    case CommandKind::kSetForceFilter:
      return size == 1;
    case CommandKind::kSetPayload:
      return size == 4;
    case CommandKind::kSetToolInertia:
      return size == 6;
    case CommandKind::kSetInteractionControl:
      return size == 0 || (size >= kAtPostureStiffness && size <= kMostInteractionNumbers);
    case CommandKind::kSetCuff:
      return size == 1;
    case CommandKind::kSetFreeAxes:
      return size == 7;
    default:
      return size == 0;
  }
}

double usual_size(CommandKind kind) noexcept {
  if (kind == CommandKind::kSetInteractionControl) return kAtPostureStiffness;
  for (std::size_t size = kMaxCommandNumbers; size-- > 0;) {
    if (fits(kind, size)) return static_cast<double>(size);
  }
  return 0.0;
}

Refusal check_matrix(const Matrix6& matrix, const Six& most) noexcept {
  const double largest = matrix.cwiseAbs().maxCoeff();
  const double skew = (matrix - matrix.transpose()).cwiseAbs().maxCoeff();
  constexpr double kRounding = 1e-6;
  if (skew > kRounding * largest) {
    return refuse(RejectReason::kNotDefinite, skew, kRounding * largest);
  }
  for (int i = 0; i < 6; ++i) {
    const double cap = most[static_cast<std::size_t>(i)];
    if (matrix(i, i) > cap) return refuse(RejectReason::kOutOfRange, matrix(i, i), cap);
  }
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(matrix, Eigen::EigenvaluesOnly);
  const double least = solver.eigenvalues()[0];
  if (least < -1e-9 * largest) return refuse(RejectReason::kNotDefinite, least, 0.0);
  return {};
}

}  // namespace

Refusal check_arm_shape(const Command& command, std::size_t arm_count) noexcept {
  if (command.arm >= arm_count) {
    return refuse(RejectReason::kUnknownArm, command.arm, static_cast<double>(arm_count));
  }
  if (command.joints.any() || !command.values.empty() ||
      !fits(command.kind, command.numbers.size())) {
    return refuse(RejectReason::kSizeMismatch, static_cast<double>(command.numbers.size()),
                  usual_size(command.kind));
  }
  for (const double number : command.numbers) {
    if (!std::isfinite(number)) return refuse(RejectReason::kNotFinite, number, 0.0);
  }
  return {};
}

Refusal check_tool_target(std::span<const double> numbers, const std::array<double, 3>& shoulder,
                          double reach) noexcept {
  const auto length = [](auto... parts) { return std::sqrt((... + (parts * parts))); };
  constexpr double kUnit = 1e-3;
  const double norm = length(numbers[3], numbers[4], numbers[5], numbers[6]);
  if (std::abs(norm - 1.0) > kUnit) return refuse(RejectReason::kOutOfRange, norm, 1.0);
  const double distance =
      length(numbers[0] - shoulder[0], numbers[1] - shoulder[1], numbers[2] - shoulder[2]);
  if (distance > reach) return refuse(RejectReason::kOutOfReach, distance, reach);
  return {};
}

Refusal check_tool_gains(std::span<const double> numbers, const Six& most) noexcept {
  if (numbers.size() == 36) {
    return check_matrix(Eigen::Map<const Matrix6>(numbers.data()), most);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (const Refusal r = check_between(numbers[i], 0.0, most[i])) return r;
  }
  return {};
}

Refusal check_tool_damping(std::span<const double> numbers, const Six& most) noexcept {
  if (numbers.size() == 1) return check_between(numbers[0], 0.0, kMaxDampingRatio);
  return check_tool_gains(numbers, most);
}

Refusal check_arm_term(std::span<const double> numbers) noexcept {
  const double term = numbers[0];
  const auto known = static_cast<double>(kAllArmTerm.size());
  if (!(term >= 0.0 && term < known) || term != std::floor(term)) {
    return refuse(RejectReason::kOutOfRange, term, known - 1.0);
  }
  if (!is_switched(static_cast<ArmTerm>(term))) {
    return refuse(RejectReason::kUnsupported, term, 0.0);
  }
  if (numbers[1] != 0.0 && numbers[1] != 1.0) {
    return refuse(RejectReason::kOutOfRange, numbers[1], 1.0);
  }
  return {};
}

Refusal check_tool_inertia(std::span<const double> numbers, const Six& least,
                           const Six& most) noexcept {
  const bool is_off =
      std::all_of(numbers.begin(), numbers.end(), [](double number) { return number == 0.0; });
  for (std::size_t i = 0; i < numbers.size() && !is_off; ++i) {
    if (const Refusal r = check_between(numbers[i], least[i], most[i])) return r;
  }
  return {};
}

Refusal check_payload(std::span<const double> numbers, double most) noexcept {
  if (const Refusal r = check_between(numbers[0], 0.0, most)) return r;
  for (std::size_t i = 1; i < 4; ++i) {
    if (const Refusal r = check_between(numbers[i], -1.0, 1.0)) return r;
  }
  return {};
}

}  // namespace jointrig
