#pragma once

#include <vector>

#include "control/laws/speed_observer.h"
#include "control/stack/velocity_envelope.h"

namespace jointrig {

/// Positions and speeds that the laws see of joints with coarse encoders: those of an observer that
/// knows the torques (laws/speed_observer.h). All other joints keep what their boards tell.
///
/// The acceleration that it expects is the one of the envelope's model, for the torques that act
/// until the next reading, with the load that the slow observer has learnt:
///
///     a = M⁻¹ (τ_acting − bias − b v − τ_f + r)
///
/// τ_acting is the torque that was sent, one delay ago, behind the lag of the board's torque loop
/// and of a series spring. a is 0 for joints whose torque the stack doesn't give: motors that are
/// off, loops of a board.
///
/// Functions are for the cycle unless they say otherwise.
class JointSpeeds {
 public:
  /// State that is saved and restored by assignment.
  struct Speed {
    SpeedObserver observer;
    double acting = 0.0;  ///< torque behind the lags [N·m or N]
    bool drives = false;  ///< in the last cycle
  };
  using State = std::vector<Speed>;

  /// Not for the cycle.
  explicit JointSpeeds(std::span<const JointSetup> setups);

  /// Reads the boards, after the joints followed them.
  void read(Joints joints) noexcept;
  /// Expects the accelerations until the next reading, after the torques were sent.
  void expect(const PlacedModel& model, Joints joints, const JointLoads& loads,
              VelocityEnvelope& envelope) noexcept;

  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state);

 private:
  double take_acting(std::size_t joint, double sent) noexcept;

  bool any_ = false;          // joint that is observed
  State state_;               // by joint
  std::vector<double> lags_;  // by joint: share of a new torque
  std::vector<double> a_;     // by joint
};

}  // namespace jointrig
