#include "control/stack/joint_speeds.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "control/core/sane.h"
#include "control/joint/board_lags.h"

namespace jointrig {

JointSpeeds::JointSpeeds(std::span<const JointSetup> setups)
    : any_(std::any_of(setups.begin(), setups.end(),
                       [](const JointSetup& setup) { return setup.observes_speed; })),
      state_(setups.size()),
      lags_(setups.size()),
      a_(setups.size()) {
  std::transform(setups.begin(), setups.end(), lags_.begin(), [](const JointSetup& setup) {
    const double lag = torque_lag(setup.config.board);
    return lag > 0.0 ? -std::expm1(-setup.dt / lag) : 1.0;
  });
}

void JointSpeeds::read(Joints joints) noexcept {
  if (!any_) return;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointSetup& setup = joints.setups[i];
    if (!setup.observes_speed) continue;
    JointControl& control = joints.controls[i];
    const JointState& board = control.state();
    SpeedObserver& observer = state_[i].observer;
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

/// The torque behind the lags; 0 while the stack's doesn't act.
double JointSpeeds::take_acting(std::size_t joint, double sent) noexcept {
  Speed& speed = state_[joint];
  const bool drove = std::exchange(speed.drives, is_sane(sent));
  if (!speed.drives) return speed.acting = 0.0;
  if (!drove) speed.acting = sent;
  return speed.acting += lags_[joint] * (sent - speed.acting);
}

void JointSpeeds::expect(const PlacedModel& model, Joints joints, const JointLoads& loads,
                         VelocityEnvelope& envelope) noexcept {
  if (!any_) return;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointSetup& setup = joints.setups[i];
    const double board = setup.board.compensates_gravity ? model.gravity(i) : 0.0;
    const double acting = take_acting(i, loads.acting(i, joints.controls[i]));
    a_[i] = acting + board - model.gravity(i) - model.coriolis(i) - model.carried_gravity(i) -
            setup.config.gains.viscous * joints.controls[i].state().v + loads.slow(i);
  }
  envelope.accelerations(a_);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    state_[i].observer.expect(state_[i].drives && std::isfinite(a_[i]) ? a_[i] : 0.0);
  }
}

void JointSpeeds::restore(const State& state) { state_ = state; }

}  // namespace jointrig
