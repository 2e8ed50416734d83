#pragma once
/// Pose and twist of a floating base from its IMU, the joints' encoders and the soles that bear.
///
///     predicted   R ← R exp((ω − b) dt)     v ← v + (R a + g) dt     p ← p + v dt
///     legs        v_l   the speed at which the soles' points of contact are at rest
///     corrected   v ← v + (1 − e^{−k_v dt}) (v_l − v)
///                 R ← exp((k_t (v_l − v) × g / g² + k_r e_R) dt) R     b ← b − k_b Rᵀ e_R dt
///                 p ← p + k_p e_p dt
///
///     ω, a  gyro [rad/s] and accelerometer [m/s²], gravity included, along the axes of the base
///     v     velocity of the IMU's place [m/s], g gravity [m/s²], both in the world
///     e_R   rotation vector from where a sole is to where it stands, weighed by loads [rad]
///     e_p   likewise its place [m]
///     b     the gyro's bias [rad/s]
///
/// The part of k_t turns the soles' places with the base: gravity decides, slowly.
///
/// A sole stands where it was when it began to bear, at its point of contact: one that tips about
/// an edge tells the speed of that edge, and its turn by the gyro alone, for k_r is small. Tilt is
/// found from what the accelerometer would add to a speed that the legs don't show (velocity-aided
/// attitude, Hua 2010), so that no motion of the robot is taken for a tilt.
///
/// Without the IMU the soles alone tell: the base turns and moves as it must for them to stand.
/// With neither, nobody knows the base: is_known() is false, and the last pose stays.
///
/// It begins where the model's start pose has the soles, with the heading of that pose and the tilt
/// that the accelerometer tells while the robot is quiet for kQuietTime on at least one sole, less
/// what the legs say that the base gained of speed meanwhile.
///
/// Functions are for the cycle: nothing allocates or throws.

#include <Eigen/Core>
#include <array>
#include <span>

#include "control/core/robot_io.h"
#include "control/core/whole_body_config.h"

namespace jointrig {

struct BaseGains {
  double speed = 60.0;  ///< k_v [1/s]
  double tilt = 1.0;    ///< k_t [1/s²]
  double turn = 0.5;    ///< k_r [1/s]
  double bias = 0.06;   ///< k_b [1/s²]
  double place = 2.0;   ///< k_p [1/s]
};

/// A sole in this cycle, by the encoders: in the base frame, as if the base were at rest.
struct SeenSole {
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< of its middle [m]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  Eigen::Vector3d contact = Eigen::Vector3d::Zero();  ///< point of contact [m]
  Eigen::Vector3d speed = Eigen::Vector3d::Zero();    ///< of the point of contact [m/s]
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();     ///< [rad/s]
  double load = 0.0;                                  ///< normal force, or any share; 0: in the air
};

/// The IMU's sample in this cycle.
struct SeenImu {
  bool is_good = false;
  Eigen::Vector3d turn = Eigen::Vector3d::Zero();          ///< ω, along the axes of the base
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< a, likewise
};

class BaseEstimator {
 public:
  static constexpr double kQuietTime = 0.1;   ///< [s] (a choice: averages the noise of 100 samples)
  static constexpr double kQuietSpeed = 0.1;  ///< of the soles by the joints [m/s] (a choice)
  static constexpr double kQuietTurn = 0.3;   ///< [rad/s] (a choice)
  static constexpr double kQuietShare = 0.2;  ///< of g, in the accelerometer's length (a choice)
  /// Without the IMU the soles' orientation is all there is [1/s] (a choice: 50 ms).
  static constexpr double kTurnBySoles = 20.0;

  struct Place {
    Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< of its middle [m]
    Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
    bool stands = false;
  };

  /// State that is saved and restored by assignment.
  struct State {
    bool is_known = false;
    bool was_known = false;                              ///< once
    Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< R
    Eigen::Vector3d place = Eigen::Vector3d::Zero();     ///< p: of the base's origin [m]
    Eigen::Vector3d speed = Eigen::Vector3d::Zero();     ///< v
    Eigen::Vector3d turn = Eigen::Vector3d::Zero();      ///< ω − b of this cycle
    Eigen::Vector3d bias = Eigen::Vector3d::Zero();      ///< b
    Eigen::Vector3d lean = Eigen::Vector3d::Zero();      ///< sum of a − v̇_l while quiet
    int quiet = 0;                                       ///< cycles
    std::array<Place, kMaxFeet> soles;
  };

  BaseEstimator() = default;
  /// @param start  pose of the base in the start pose of the model
  /// @param imu    place of the IMU in the base frame [m]
  /// @param soles  in the start pose: where they stand in the world
  BaseEstimator(const BaseGains& gains, const BaseState& start, const Eigen::Vector3d& imu,
                const Eigen::Vector3d& gravity, std::span<const Eigen::Vector3d> soles);

  /// Runs one cycle.
  void advance(const SeenImu& imu, std::span<const SeenSole> soles, double dt) noexcept;
  /// The tilt is to be found anew: after a fall.
  void lose() noexcept;

  [[nodiscard]] bool is_known() const noexcept { return state_.is_known; }
  [[nodiscard]] BaseState base() const noexcept;

  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state) noexcept { state_ = state; }

 private:
  /// What the soles that bear say together, by their loads.
  struct Legs {
    double load = 0.0;
    Eigen::Vector3d speed = Eigen::Vector3d::Zero();  ///< v_l
    Eigen::Vector3d spin = Eigen::Vector3d::Zero();   ///< of the base, if no sole turns
    Eigen::Vector3d turn = Eigen::Vector3d::Zero();   ///< e_R
    Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< e_p
  };

  [[nodiscard]] bool is_quiet(const SeenImu& imu, std::span<const SeenSole> soles) const noexcept;
  void begin_if_quiet(const SeenImu& imu, std::span<const SeenSole> soles, double dt) noexcept;
  void level(std::span<const SeenSole> soles) noexcept;
  void predict(const SeenImu& imu, double dt) noexcept;
  void follow_soles(std::span<const SeenSole> soles) noexcept;
  [[nodiscard]] Legs legs(std::span<const SeenSole> soles) const noexcept;
  void correct(const Legs& legs, bool has_imu, double dt) noexcept;
  void tilt(const Eigen::Vector3d& turn, const Eigen::Vector3d& about) noexcept;

  BaseGains gains_;
  Eigen::Vector3d imu_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d gravity_ = Eigen::Vector3d(0.0, 0.0, -9.81);
  std::array<Eigen::Vector3d, kMaxFeet> starts_{};  ///< of the soles, in the world
  State state_;
};

}  // namespace jointrig
