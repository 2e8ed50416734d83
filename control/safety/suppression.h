#pragma once

#include <array>
#include <cstdint>

#include "control/core/protection.h"
#include "control/core/types.h"

namespace jointrig {

/// Suppression of functions, joint by joint, for kSuppressionTime after the last message of each. A
/// function fades out and back in over kBlendTime.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class Suppression {
 public:
  static constexpr double kBlendTime = 0.1;  ///< s, as JointLaw's

  explicit Suppression(std::size_t joint_count = 0) noexcept : joints_(joint_count) {}

  /// Takes a message for a joint. Returns true if the function was not suppressed before.
  bool take(std::size_t joint, Suppressible what, std::uint16_t sender = 0) noexcept;

  struct Outcome {
    FewBits<Suppressible> ended;  ///< functions that act again from this cycle on, for all joints
    std::array<double, kAllSuppressible.size()> lasted{};     ///< s, duration of their suppression
    std::array<JointIndex, kAllSuppressible.size()> joint{};  ///< the last joint of each
  };
  /// Runs one cycle.
  Outcome advance(double dt) noexcept;

  /// True while the messages keep coming.
  [[nodiscard]] bool is_suppressed(std::size_t joint, Suppressible what) const noexcept {
    return joints_[joint].left[static_cast<std::size_t>(what)] > 0.0;
  }
  [[nodiscard]] FewBits<Suppressible> suppressed(std::size_t joint) const noexcept;
  /// Share of the function that acts: 1 usually, 0 after kBlendTime of suppression.
  [[nodiscard]] double share(std::size_t joint, Suppressible what) const noexcept {
    return 1.0 - joints_[joint].gone[static_cast<std::size_t>(what)];
  }
  /// Time since it was suppressed on any joint [s]; 0: on none.
  [[nodiscard]] double suppressed_for(Suppressible what) const noexcept {
    return lasts_[static_cast<std::size_t>(what)];
  }
  /// Time until it acts again on its last joint without another message [s]; 0: not suppressed.
  [[nodiscard]] double suppressed_left(Suppressible what) const noexcept {
    return left_[static_cast<std::size_t>(what)];
  }
  /// Sender of the newest message; 0: not suppressed.
  [[nodiscard]] std::uint16_t suppressed_by(Suppressible what) const noexcept {
    return lasts_[static_cast<std::size_t>(what)] > 0.0 ? by_[static_cast<std::size_t>(what)] : 0;
  }

 private:
  struct Joint {
    std::array<double, kAllSuppressible.size()> left{};  // s
    std::array<double, kAllSuppressible.size()> gone{};  // 0 to 1
  };
  PerJoint<Joint> joints_;
  std::array<double, kAllSuppressible.size()> lasts_{};  // s
  std::array<double, kAllSuppressible.size()> left_{};   // s, of the joint with the longest time
  std::array<std::uint16_t, kAllSuppressible.size()> by_{};
  bool acts_ = false;  // a function is suppressed, or still fades in
};

}  // namespace jointrig
