#include "hw/driver/joint_track.h"

#include <cmath>

namespace jointrig::hw {

JointTrack::Verdict JointTrack::take(double q, double v, bool may_jump) noexcept {
  const bool jumps = known_ && !may_jump && is_jump(q);
  if (jumps) {
    ++replaced_;
    if (++jumps_ < kJumpsToFault) {
      carry_on();
      return Verdict::kReplaced;
    }
  }
  jumps_ = 0;
  known_ = true;
  q_ = q;
  v_ = v;
  age_ = 0;
  skipped_ = 0;
  return jumps ? Verdict::kFault : Verdict::kTaken;
}

bool JointTrack::is_jump(double q) noexcept {
  if (v_max_ <= 0) return false;
  const double cycles = age_ + static_cast<double>(skipped_) + 1.0;
  allowed_jump_ = 2.0 * v_max_ * period_ * cycles;
  jump_ = std::abs(q - q_ - v_ * period_ * cycles);
  return jump_ > allowed_jump_;
}

double JointTrack::q(double since) const noexcept {
  const double passed = (age_ + static_cast<double>(skipped_)) * period_ + since;
  const double carried = std::fmin(passed, carried_most_);
  return carried > 0 ? q_ + v_ * carried : q_;
}

void JointTrack::was_late() noexcept {
  if (age_ == 0) carry_on();  // else a jump, which was
}

void JointTrack::forget() noexcept {
  known_ = false;
  age_ = 0;
  skipped_ = 0;
  jumps_ = 0;
}

}  // namespace jointrig::hw
