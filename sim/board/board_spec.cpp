#include "sim/board/board_spec.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include "control/core/board_defaults.h"

namespace jointrig::sim {
namespace {

constexpr double kDefaultBandwidthHz = 10;  // choice: bandwidth of a position loop without gains
constexpr double kWay = 0.05;               // choice: [rad or m]
constexpr double kWayOfRange = 0.1;

void require(bool good, const JointConfig& joint, const char* what, double value,
             const char* wanted) {
  if (good) return;
  std::ostringstream text;
  text << "joint " << joint.name << ": " << what << " is " << value << ", must be " << wanted;
  throw std::invalid_argument(text.str());
}

void check(const JointConfig& joint, double period) {
  const BoardConfig& board = joint.board;
  require(joint.limits.tau_max > 0, joint, "tau_max", joint.limits.tau_max, "above 0");
  require(joint.limits.v_max > 0, joint, "v_max", joint.limits.v_max, "above 0");
  require(joint.limits.q_min < joint.limits.q_max, joint, "q_min", joint.limits.q_min,
          "below q_max");
  require(period > 0, joint, "the period", period, "above 0");
  require(board.resistance_ohm > 0, joint, "resistance_ohm", board.resistance_ohm, "above 0");
  require(board.thermal_time_s > 0, joint, "thermal_time_s", board.thermal_time_s, "above 0");
  require(board.encoder_step >= 0, joint, "encoder_step", board.encoder_step, "0 or above");
  require(board.torque_noise >= 0, joint, "torque_noise", board.torque_noise, "0 or above");
  require(board.spring_stiffness >= 0, joint, "spring_stiffness", board.spring_stiffness,
          "0 or above");
  require(board.spring_damping >= 0, joint, "spring_damping", board.spring_damping, "0 or above");
  require(board.deflection_step >= 0, joint, "deflection_step", board.deflection_step,
          "0 or above");
  require(board.deflection_bandwidth_hz > 0, joint, "deflection_bandwidth",
          board.deflection_bandwidth_hz, "above 0");
  require(board.hysteresis >= 0, joint, "hysteresis", board.hysteresis, "0 or above");
  require(board.hysteresis <= 0 || board.hysteresis_deflection > 0, joint, "hysteresis_deflection",
          board.hysteresis_deflection, "above 0 where hysteresis is");
  require(board.hysteresis <= 0 || board.spring_stiffness > 0, joint, "spring_stiffness",
          board.spring_stiffness, "above 0 where hysteresis is: it is the spring's");
  require(board.spring_stiffness <= 0 || board.armature.value_or(0.0) > 0, joint, "armature",
          board.armature.value_or(0.0), "given and above 0 where spring_stiffness is");
  require(joint.brake.holding_torque >= 0, joint, "the torque of its brake",
          joint.brake.holding_torque, "0 or above");
  require(joint.brake.engage_s >= 0, joint, "the engage time of its brake", joint.brake.engage_s,
          "0 or above");
  require(joint.brake.release_s >= 0, joint, "the release time of its brake", joint.brake.release_s,
          "0 or above");
  require(board.calibration_speed > 0, joint, "calibration_speed", board.calibration_speed,
          "above 0");
  require(board.temperature_max_C > board.ambient_C, joint, "temperature_max_C",
          board.temperature_max_C, "above ambient_C");
}

void derive_gains(BoardSpec& spec) {
  JointGains& gains = spec.gains;
  if (gains.kp > 0) return;
  const double w = 2 * std::numbers::pi * kDefaultBandwidthHz;
  gains.kp = gains.inertia * w * w;
  gains.kd = gains.inertia * 2 * w;
}

}  // namespace

BoardSpec make_board_spec(const JointConfig& joint, const PlantConfig& plant, double period) {
  check(joint, period);
  BoardSpec spec;
  spec.board = with_defaults(joint.board, joint.limits);
  spec.limits = joint.limits;
  spec.brake = joint.brake;
  spec.gains = joint.gains;
  spec.encoder_noise = plant.encoder_noise;
  spec.period = period;
  spec.board.torque_noise = std::hypot(joint.board.torque_noise, plant.torque_noise);
  if (!joint.board.needs_calibration) spec.board.calibration_offset = 0;
  derive_gains(spec);
  const double range = joint.limits.q_max - joint.limits.q_min;
  spec.switch_margin = std::min(kWay, kWayOfRange * range);
  spec.calibration_way = spec.switch_margin;
  return spec;
}

}  // namespace jointrig::sim
