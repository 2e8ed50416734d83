#pragma once

#include <array>
#include <cstdint>

#include "control/core/protection.h"
#include "control/core/types.h"

namespace jointrig {

/// Which plug-ins are held off, joint by joint, for kSuppressionTime after the last message each,
/// and by how much: what is suppressed, and what comes back, is blended over kBlendTime.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class Suppression {
 public:
  static constexpr double kBlendTime = 0.1;  ///< s, as JointLaw's

  explicit Suppression(std::size_t joint_count = 0) noexcept : joints_(joint_count) {}

  /// A message for a joint. True where it wasn't suppressed before.
  bool take(std::size_t joint, Suppressible what, std::uint16_t sender = 0) noexcept;

  struct Outcome {
    FewBits<Suppressible> ended;  ///< fell back in this cycle, on the last joint that had it
    std::array<double, kAllSuppressible.size()> lasted{};     ///< s, of those
    std::array<JointIndex, kAllSuppressible.size()> joint{};  ///< that one
  };
  /// One cycle later.
  Outcome advance(double dt) noexcept;

  /// While its messages keep coming.
  [[nodiscard]] bool is_suppressed(std::size_t joint, Suppressible what) const noexcept {
    return joints_[joint].left[static_cast<std::size_t>(what)] > 0.0;
  }
  [[nodiscard]] FewBits<Suppressible> suppressed(std::size_t joint) const noexcept;
  /// How much of it acts: 1 usually, 0 after kBlendTime of suppression.
  [[nodiscard]] double share(std::size_t joint, Suppressible what) const noexcept {
    return 1.0 - joints_[joint].gone[static_cast<std::size_t>(what)];
  }
  /// Since it is suppressed on any joint [s]; 0: on none.
  [[nodiscard]] double suppressed_for(Suppressible what) const noexcept {
    return lasts_[static_cast<std::size_t>(what)];
  }
  /// Until its last joint falls back, if no message comes [s]; 0: it isn't suppressed.
  [[nodiscard]] double suppressed_left(Suppressible what) const noexcept {
    return left_[static_cast<std::size_t>(what)];
  }
  /// Who sent the newest message; 0: it isn't suppressed.
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
  std::array<double, kAllSuppressible.size()> left_{};   // s, of the joint that has most
  std::array<std::uint16_t, kAllSuppressible.size()> by_{};
  bool acts_ = false;  // something is held off, or still comes back
};

}  // namespace jointrig
