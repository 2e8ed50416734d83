#pragma once
/// Fault detection of a board by its own means.

#include <bitset>
#include <cstdint>

#include "sim/board/board_spec.h"
#include "sim/board/fault_injection.h"

namespace jointrig::sim {

/// Tolerance for times, which are sums of cycles [s].
inline constexpr double kRounding = 1e-9;

/// Signals that the firmware compares in each cycle.
struct BoardSignals {
  double reading = 0.0;  ///< of the encoder, in its own zero
  double reading_before = 0.0;
  double q = 0.0;          ///< position as reported
  double emf_speed = 0.0;  ///< (U_terminal - R i) / kt: the motor's own speed, minus its spring's
  double missing_samples = 0.0;  ///< samples of the encoder missed in a row
  double torque_sensor = 0.0;    ///< [N·m or N]
  double motor_torque = 0.0;  ///< kt i, minus the torque that accelerates a motor behind a spring
  double torque_sensor_age = 0.0;  ///< [s]
  double expected_A = 0.0;         ///< by the board's model of its current loop
  double current_A = 0.0;          ///< measured
  double temperature_C = 0.0;
  double supply_V = 0.0;
  bool switch_closed = false;
  bool stage_alive = true;    ///< power-good of the output stage, asked when a fault is reset
  bool encoder_alive = true;  ///< self-test of the encoder, asked when a fault is reset
  bool motor_on = false;      ///< enabled or calibrating
  bool faulted = false;       ///< in hw_fault: the monitors check whether causes remain
};

struct MonitorState {
  double dead_reckoning = 0.0;  ///< expected encoder reading, by the back-EMF
  double speed_before = 0.0;
  double still_s = 0.0;       ///< time since the reading last changed
  double noise_square = 0.0;  ///< mean square of the unexpected changes of the reading
  double torque_gap = 0.0;    ///< sensor minus motor, filtered
  double powerless_s = 0.0;   ///< duration of wanted current without flow
  double dip_s = 0.0;         ///< duration of low supply

  template <typename Hash>
  void add_to(Hash& hash) const noexcept {
    const auto& [reckoning, speed, still, noise, gap, powerless, dip] = *this;
    hash.add(reckoning, speed, still, noise, gap, powerless, dip);
  }
};

/// A detected fault: the first cause in the order of the checks.
struct FoundFault {
  FaultCode code = FaultCode::kNone;
  double value = 0.0;
  double limit = 0.0;
};

/// Thresholds, with dt the cycle, s the encoder's step, n its noise as specified:
///
///     encoder_lost         more than 5 samples missing in a row
///     encoder_jump         reading further than 2 v_max dt + |v_emf| dt + 10 (s + n) from the
///                          value expected by the back-EMF
///     encoder_frozen       no step for 20 ms while the back-EMF gives a motion of
///                          v_max · 1 ms + 10 (s + n)
///     encoder_noise        unexpected changes of the reading (outside the motion by the speeds at
///     both ends
///                          of the cycle allow), root mean square over 20 ms, per cycle, above
///                          v_max / 4 + 6 sqrt(2 n² + s²/6) / dt
///     torque_sensor_lost   no sample for 10 ms
///     torque_sensor_range  |sensor - kt i|, filtered at 10 ms, above tau_max / 10 + 6 noise
///     motor_power_lost     current above a twentieth of current_max expected for 10 ms, under half
///                          of it measured
///     over_current         |i| above 1.1 current_max (control keeps to current_max)
///     over_temperature     above temperature_max_C; gone 5 °C below
///     supply_voltage       below 0.8 of supply_V for 10 ms (a shorter dip is ignored), or
///     above 1.2 limit_switch         closed while the motor is on; a joint on the switch may be
///     idle
///
/// All are choices: wide enough that no motion of a sound joint trips them.
class Monitors {
 public:
  explicit Monitors(const BoardSpec& spec) noexcept;

  FoundFault check(const BoardSignals& signals, MonitorState& state) const noexcept;

  /// Resets the state, at power-on and after a fault reset.
  static void reset(double reading, double emf_speed, MonitorState& state) noexcept;

 private:
  FoundFault check_encoder(const BoardSignals& signals, MonitorState& state) const noexcept;
  FoundFault check_torque(const BoardSignals& signals, MonitorState& state) const noexcept;
  FoundFault check_power(const BoardSignals& signals, MonitorState& state) const noexcept;

  double period_;
  double jump_base_;
  double moved_;
  double noise_limit_;
  double torque_limit_;
  double current_limit_;
  double trip_;
  double temperature_limit_;
  double supply_;
  double q_min_;
  double q_max_;
  double noise_share_;
  double torque_share_;
};

}  // namespace jointrig::sim
