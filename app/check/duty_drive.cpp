#include "app/check/duty_drive.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "control/core/board_defaults.h"

namespace jointrig::app {
namespace {

constexpr double kOverWeight = 0.5;  // of the weight, that the back-EMF's share is to be at least
constexpr double kLeastWay = 0.2;    // of its way, that a slow motor is to go in that time

DutyDrive none(std::string why_not) { return {.why_not = std::move(why_not)}; }

}  // namespace

DutyDrive duty_drive(const CheckedJoint& joint, double longest) {
  const JointConfig& config = *joint.config;
  // control/core/board_defaults.h has the values that the model doesn't.
  const BoardConfig board = with_defaults(config.board, config.limits);
  const double kt = board.torque_constant;
  const double braking = kt * kt / board.resistance_ohm;  // [N·m·s/rad]
  const double weight = std::abs(joint.weight);
  const double clear = std::min(kOverWeight * weight / braking, 0.6 * joint.v_max());
  const double spare = (0.95 * joint.tau_max() - weight - config.gains.friction) / braking;
  // A motor that reaches its voltage's speed late goes but a part of the way meanwhile.
  const double lag = joint.held_inertia / (braking + config.gains.viscous);
  const double usual = std::max(joint.speed(0.5, longest, 0.3), clear);
  const double slow =
      kLeastWay * std::abs(joint.way) / (longest + lag * std::expm1(-longest / lag));
  const double speed = std::min(spare, std::max(usual, slow));
  const double least = kLeastWay * std::abs(joint.way) / longest;
  if (speed > 0.0 && speed == spare && speed < std::min(least, 0.1 * joint.v_max())) {
    return none(fmt::format("the voltage of its whole torque turns its motor at {:.2g} {}/s alone",
                            spare, joint.unit_of_way()));
  }
  if (!(speed > 0.0 && speed >= 0.5 * clear)) {
    return none("its weight leaves too little of its torque");
  }
  DutyDrive drive;
  drive.seconds = slow > usual ? longest : std::min(longest, std::abs(joint.way) / speed);
  drive.way = joint.sign() * speed * (drive.seconds + lag * std::expm1(-drive.seconds / lag));
  drive.speed = speed * -std::expm1(-drive.seconds / lag);
  const double v = joint.sign() * speed;
  const double load =
      joint.weight + joint.sign() * config.gains.friction + config.gains.viscous * v;
  drive.duty = (load * board.resistance_ohm / kt + kt * v) / board.supply_V;
  if (std::abs(drive.duty) > 1.0) return none("its voltage can't drive it against its weight");
  return drive;
}

}  // namespace jointrig::app
