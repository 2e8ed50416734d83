#include "control/safety/interaction_admission.h"

#include <cmath>

#include "control/safety/arm_admission.h"

namespace jointrig {
namespace {

/// The gate of one command: the first number that doesn't pass is told.
class Gate {
 public:
  explicit Gate(std::span<const double> numbers) noexcept : numbers_(numbers) {}

  void between(std::size_t place, double low, double high) noexcept {
    const double value = numbers_[place];
    if (value < low) refuse(place, value, low);
    if (value > high) refuse(place, value, high);
  }
  void word(std::size_t place, std::size_t count) noexcept {
    between(place, 0.0, static_cast<double>(count) - 1.0);
    if (numbers_[place] != std::floor(numbers_[place])) {
      refuse(place, numbers_[place], static_cast<double>(count) - 1.0);
    }
  }
  void flag(std::size_t place) noexcept { word(place, 2); }
  void unit_length(std::size_t place) noexcept {
    double square = 0.0;
    for (std::size_t i = 0; i < 4; ++i) square += numbers_[place + i] * numbers_[place + i];
    constexpr double kUnit = 1e-3;
    if (std::abs(std::sqrt(square) - 1.0) > kUnit) refuse(place, std::sqrt(square), 1.0);
  }

  [[nodiscard]] const Refusal& refusal() const noexcept { return refusal_; }

 private:
  void refuse(std::size_t place, double value, double limit) noexcept {
    if (refusal_) return;
    refusal_ = {RejectReason::kOutOfRange, kNoJoint, value, limit,
                static_cast<std::uint8_t>(place + 1)};
  }

  std::span<const double> numbers_;
  Refusal refusal_;
};

}  // namespace

Refusal check_interaction(std::span<const double> numbers, const ArmConfig& arm) noexcept {
  if (numbers.empty()) return {};
  const std::size_t joints = numbers.size() - kAtPostureStiffness;
  if (joints != 0 && joints != arm.joints.size()) {
    return {RejectReason::kSizeMismatch, kNoJoint, static_cast<double>(numbers.size()),
            static_cast<double>(kAtPostureStiffness + arm.joints.size())};
  }
  Gate gate(numbers);
  gate.word(kAtDampingSource, kAllDampingSource.size());
  if (gate.refusal()) return gate.refusal();
  const auto source = static_cast<DampingSource>(numbers[kAtDampingSource]);
  for (std::size_t i = 0; i < 6; ++i) {
    gate.word(kAtAxes + i, kAllInteractionAxis.size());
    const bool is_limit =
        numbers[kAtAxes + i] == static_cast<double>(InteractionAxis::kImpedanceWithForceLimit);
    const double force = arm.interaction.force_max[i];
    gate.between(kAtStiffness + i, 0.0, arm.stiffness_max[i]);
    gate.flag(kAtMaxImpedance + i);
    gate.between(kAtForce + i, is_limit ? 0.0 : -force, force);
    if (source == DampingSource::kGiven) gate.between(kAtDamping + i, 0.0, arm.damping_max[i]);
  }
  if (source == DampingSource::kRatio) gate.between(kAtDamping, 0.0, kMaxDampingRatio);
  for (std::size_t i = 0; i < 3; ++i) gate.between(kAtPoint + i, -1.0, 1.0);
  gate.unit_length(kAtOrientation);
  gate.word(kAtFrame, kAllToolFrame.size());
  for (std::size_t i = kAtUndampedForce; i < kAtPostureStiffness; ++i) gate.flag(i);
  for (std::size_t i = kAtPostureStiffness; i < numbers.size(); ++i) {
    gate.between(i, 0.0, arm.interaction.posture_stiffness_max);
  }
  return gate.refusal();
}

Refusal check_cuff(double seconds) noexcept {
  const std::array numbers{seconds};
  Gate gate(numbers);
  gate.between(0, 0.0, kLongestGrasp);
  return gate.refusal();
}

Refusal check_free_axes(std::span<const double> numbers) noexcept {
  Gate gate(numbers);
  for (std::size_t i = 0; i < 6; ++i) gate.flag(i);
  gate.word(6, kAllToolFrame.size());
  return gate.refusal();
}

}  // namespace jointrig
