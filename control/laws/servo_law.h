#pragma once
/// Feedback of the stiff law in acceleration, for a loop with delay under limits of torque and
/// torque rate.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/core/square_root_gain.h"

namespace jointrig {

/// Constants of a joint's servo, from the time between a motion and the torque that answers it.
struct ServoDesign {
  double loop_time = 0.0;  ///< T, without the filter of the law [s]
  double w = 0.0;          ///< ω: natural frequency [rad/s]
  double damping = 1.0;    ///< ζ
  double observer = 0.0;   ///< ω_o: frequency of the disturbance observer [rad/s]
};

/// Share of the loop's time constant that the feedback may use: (2 ζ ω + ω_o) (T + lag of the
/// filter). At 0.4 the loop is stable for a true inertia of 0.1 to 9 times the model's (one cycle
/// of delay; 0.17 to 9 with three), and overshoots by less than 7 % up to 2.3 times.
inline constexpr double kLoopShare = 0.4;
/// ω_o / ω
inline constexpr double kObserverShare = 0.5;

/// Filter on the rate of the error, of the noise that a velocity from an encoder has [Hz]: a
/// choice. At 100 Hz a step of the encoder counts a third, and the loop has a time constant more
/// of 1.6 ms.
inline constexpr double kRateFilterHz = 100.0;

/// Largest factor on the frequency of the default that a bandwidth may ask for: a choice.
inline constexpr double kBoldest = 1.5;

/// Natural frequency that uses kLoopShare [rad/s].
inline double fastest_servo(double loop_time, double damping) noexcept {
  const double lag = 1.0 / (2.0 * std::numbers::pi * kRateFilterHz);
  return kLoopShare / (loop_time + lag) / (2.0 * damping + kObserverShare);
}

/// @param loop_time  T [s]
inline ServoDesign servo_design(double loop_time, const JointGains& gains) noexcept {
  ServoDesign design;
  design.loop_time = loop_time;
  design.damping = gains.damping_ratio;
  design.w = fastest_servo(loop_time, gains.damping_ratio);
  if (gains.bandwidth_hz > 0.0) {
    design.w = std::min(2.0 * std::numbers::pi * gains.bandwidth_hz, kBoldest * design.w);
  }
  design.observer = kObserverShare * design.w;
  return design;
}

/// A joint's whole torque as a load that comes within this time [s] turns it by no more than these
/// [rad, m], if the loop can do so: choices.
inline constexpr double kLoadTime = 0.4;
inline constexpr double kGivesWay = 0.07;
inline constexpr double kSlideGivesWay = 0.004;

/// Way by which the law gives in to a load that rises by `rate`, once it follows it: the observer
/// lags by 1/ω_o,
///
///     e = (dτ/dt) / (I ω² ω_o)
///
/// @param rate  dτ/dt [N·m/s or N/s]
inline double way_under_rising_load(const ServoDesign& design, double inertia,
                                    double rate) noexcept {
  return rate / (inertia * design.w * design.w * design.observer);
}

/// The law of a joint, by its bandwidth if it is given one. Without one a joint that is light for
/// its torque gets as high a frequency as keeps it within kGivesWay, up to kBoldest times the
/// others': kLoopShare is then 0.6 at most, and its noise, I ω² e, is still less of its torque than
/// a heavier joint's.
inline ServoDesign servo_design(double loop_time, const JointConfig& joint) noexcept {
  ServoDesign design = servo_design(loop_time, joint.gains);
  if (joint.gains.bandwidth_hz > 0.0 || !(joint.gains.inertia > 0.0)) return design;
  const double way = joint.slide ? kSlideGivesWay : kGivesWay;
  const double rate = joint.limits.tau_max / kLoadTime;
  const double wanted = std::cbrt(rate / (joint.gains.inertia * kObserverShare * way));
  design.w = std::clamp(wanted, design.w, kBoldest * design.w);
  design.observer = kObserverShare * design.w;
  return design;
}

/// Share of its position error that a joint led by a speed alone removes per second [1/s]: a
/// choice, as of a drive that takes speeds.
inline constexpr double kVelocityLoopGain = 10.0;

/// The servo of a joint that is led by v_ref + k e alone, k = min(kVelocityLoopGain, ω / 2ζ): the
/// loop of the speed stays, 2ζ'ω' = 2ζω, and
///
///     a = 2ζω (v_ref + k e − v)      ω'² = 2ζω k
inline ServoDesign led_by_velocity(ServoDesign design) noexcept {
  const double rate = 2.0 * design.damping * design.w;
  design.w = std::min(design.w, std::sqrt(rate * kVelocityLoopGain));
  design.damping = 0.5 * rate / design.w;
  return design;
}

/// Room of a joint's torque, in accelerations.
struct ServoRoom {
  double brake_positive = 0.0;  ///< largest deceleration of a positive speed [rad/s² or m/s²]
  double brake_negative = 0.0;  ///< of a negative one
  double jerk = 0.0;            ///< of the torque rate [rad/s³ or m/s³]
};

/// Acceleration that brings a joint to its reference:
///
///     v_e = φ(e; ω / 2ζ, 0.4 a_brake)          within ± v_max
///     a   = a_ref + φ(v_e + ė; 2ζω, 0.5 jerk)   ė filtered
///
/// For small errors it is a_ref + ω² e + 2ζω ė. A large error is reduced no faster than the torque
/// can brake and the torque rate can follow: a law that asks for more lags, and overshoots.
inline double servo_acceleration(const ServoDesign& design, const ServoRoom& room,
                                 const JointReference& reference, double feedforward, double q,
                                 double error_rate, double v_max) noexcept {
  constexpr double kBrakeShare = 0.4;
  constexpr double kJerkShare = 0.5;
  const double e = reference.q - q;
  const double brake = e > 0.0 ? room.brake_positive : room.brake_negative;
  const double approach = std::clamp(
      square_root_gain(e, design.w / (2.0 * design.damping), kBrakeShare * brake), -v_max, v_max);
  return feedforward + square_root_gain(approach + error_rate, 2.0 * design.damping * design.w,
                                        kJerkShare * room.jerk);
}

}  // namespace jointrig
