#include "control/stack/joint_speeds.h"

#include <algorithm>
#include <cmath>

#include "control/core/sane.h"

namespace jointrig {

JointSpeeds::JointSpeeds(std::span<const JointSetup> setups)
    : any_(std::any_of(setups.begin(), setups.end(),
                       [](const JointSetup& setup) { return setup.observes_speed; })),
      state_(setups.size()),
      a_(setups.size()),
      drives_(setups.size()) {}

void JointSpeeds::read(Joints joints) noexcept {
  if (!any_) return;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointSetup& setup = joints.setups[i];
    if (!setup.observes_speed) continue;
    JointControl& control = joints.controls[i];
    const JointState& board = control.state();
    SpeedObserver& observer = state_[i];
    const bool is_fresh =
        board.missed == 0 && !board.extrapolated && is_sane(board.q) && std::isfinite(board.v);
    if (!observer.runs()) {
      if (is_fresh) observer.restart(board.q, 0.0);
      continue;
    }
    observer.advance(setup.dt);
    if (is_fresh) {
      observer.correct(board.q, board.v, setup.config.board.encoder_step, setup.dt);
    }
    control.see(observer.q(), observer.v());
  }
}

void JointSpeeds::expect(const PlacedModel& model, Joints joints, const JointLoads& loads,
                         VelocityEnvelope& envelope) noexcept {
  if (!any_) return;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointSetup& setup = joints.setups[i];
    const double board = setup.board.compensates_gravity ? model.gravity(i) : 0.0;
    const double acting = loads.acting(i, joints.controls[i]);
    drives_[i] = is_sane(acting);
    a_[i] = (drives_[i] ? acting + board : 0.0) - model.gravity(i) - model.coriolis(i) -
            model.carried_gravity(i) - setup.config.gains.viscous * joints.controls[i].state().v +
            loads.slow(i);
  }
  envelope.accelerations(a_);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    state_[i].expect(drives_[i] && std::isfinite(a_[i]) ? a_[i] : 0.0);
  }
}

}  // namespace jointrig
