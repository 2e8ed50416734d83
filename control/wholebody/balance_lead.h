#pragma once
/// Balance of a robot whose joints follow positions: by where its centre of mass is led.
///
/// The robot sways on the stiffness of its servos. To first order, with the pressure p under the
/// soles, the centre of mass c and the place c_r to which its joints are led,
///
///     c̈ = ω² (c − p)        p = κ (c − c_r)        ω = √(g / z)      κ = 1 + (ω_s / ω)²
///
/// ω_s is the frequency at which it sways while c_r rests: 2π servo_bandwidth. With the capture
/// point ξ = c + ċ/ω and the goal g of the centre of mass
///
///     p* = g + (1 + k) (ξ − g)      within the soles
///     s̈ = (k_p (p − p*) − ṡ) / T    c_r = g + s
///
/// so the reference gives way to a pressure that is larger than the balance needs, and goes against
/// one that is smaller (whole-body admittance: Caron, Kheddar, Tempier 2019, "Stair climbing
/// stabilization of the HRP-4 humanoid robot using whole-body admittance control"). With
/// λ = κ k_p the four poles are those of
///
///     T x⁴ + x³ + (λ + T ω_s²) x² + (ω_s² + ω λ (1 + k)) x + ω² λ k
///
/// and by Routh they are left of 0 for every stiffness and every λ > 0 if
///
///     T < 1 / ((1 + k) ω)    and    ω² k < (1 − T ω (1 + k)) (ω_s² + ω λ (1 + k))
///
/// Chosen: λ = ω_s, as fast as the servos sway; T = 1 / (4 (1 + k) ω). A servo's own damping comes
/// on top. All in the world, from above [m], unless a line says otherwise.

#include <Eigen/Core>
#include <array>
#include <cstddef>

#include "control/core/whole_body_config.h"

namespace jointrig {

/// Where the soles press, as the force sensors of the feet have it.
struct SolePressure {
  bool is_known = false;                             ///< each foot's sensor is good, and one bears
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< in the base frame [m]
  std::array<double, kMaxFeet> load{};               ///< normal force of each sole [N]
  std::array<bool, kMaxFeet> is_sensed{};            ///< by a force sensor that is good
};

struct LeadGains {
  double servo_bandwidth = 3.0;  ///< ω_s / 2π [Hz]
  double gain = 2.0;             ///< k
  double most = 0.05;            ///< largest |s| [m]
};

/// The way s of the reference's centre of mass from its goal. Plain data: copied, saved and
/// restored as it is. For the cycle.
struct BalanceLead {
  Eigen::Vector2d way = Eigen::Vector2d::Zero();           ///< s [m]
  Eigen::Vector2d speed = Eigen::Vector2d::Zero();         ///< ṡ [m/s]
  Eigen::Vector2d acceleration = Eigen::Vector2d::Zero();  ///< s̈ in this cycle [m/s²]

  struct Seen {
    Eigen::Vector2d pressure;  ///< p
    Eigen::Vector2d wanted;    ///< p*
    double omega = 0.0;        ///< ω [1/s]
  };
  /// p*, before it is kept within the soles.
  static Eigen::Vector2d wanted_pressure(const LeadGains& gains, const Eigen::Vector2d& goal,
                                         const Eigen::Vector2d& capture) noexcept {
    return goal + (1.0 + gains.gain) * (capture - goal);
  }
  /// k_p = ω_s / κ [1/s]
  static double give(const LeadGains& gains, double omega) noexcept;
  /// T [s]
  static double lag(const LeadGains& gains, double omega) noexcept;

  void advance(const LeadGains& gains, const Seen& seen, double dt) noexcept;
  /// Nobody knows the pressure: it comes to rest, with the same lag.
  void rest(const LeadGains& gains, double omega, double dt) noexcept;

 private:
  void go(const LeadGains& gains, const Eigen::Vector2d& wanted_speed, double omega,
          double dt) noexcept;
};

}  // namespace jointrig
