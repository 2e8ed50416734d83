#include "control/wholebody/balance_lead.h"

#include <algorithm>
#include <numbers>

namespace jointrig {

double BalanceLead::give(const LeadGains& gains, double omega) noexcept {
  const double sway = 2.0 * std::numbers::pi * gains.servo_bandwidth;
  const double ratio = sway / omega;
  return sway / (1.0 + ratio * ratio);
}

double BalanceLead::lag(const LeadGains& gains, double omega) noexcept {
  return 1.0 / (4.0 * (1.0 + gains.gain) * omega);
}

void BalanceLead::advance(const LeadGains& gains, const Seen& seen, double dt) noexcept {
  go(gains, give(gains, seen.omega) * (seen.pressure - seen.wanted), seen.omega, dt);
}

void BalanceLead::rest(const LeadGains& gains, double omega, double dt) noexcept {
  go(gains, Eigen::Vector2d::Zero(), omega, dt);
}

/// At its largest way it stands, unless it goes back.
void BalanceLead::go(const LeadGains& gains, const Eigen::Vector2d& wanted_speed, double omega,
                     double dt) noexcept {
  const Eigen::Vector2d before = speed;
  speed += std::min(dt / lag(gains, omega), 1.0) * (wanted_speed - speed);
  const Eigen::Vector2d next = way + dt * speed;
  const double length = next.norm();
  if (length > gains.most) {
    const Eigen::Vector2d outwards = next / length;
    speed -= std::max(speed.dot(outwards), 0.0) * outwards;
    way = gains.most * outwards;
  } else {
    way = next;
  }
  acceleration = (speed - before) / dt;
}

}  // namespace jointrig
