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
///     v     velocity of the IMU's place [m/s], g gravity [m/s²], both in the world. An IMU on
///           another link than the base moves with the joints: its place r and its speed u in the
///           base come with each sample, p + R r is where v is, and the base's own is
///           v − R (ω × r + u)
///     e_R   rotation vector from where a sole is to where it stands, weighed by loads [rad]
///     e_p   likewise its place [m]
///     b     the gyro's bias [rad/s]
///
/// The part of k_t turns base and soles' places about where the soles bear: gravity decides on
/// tilt.
///
/// A sole's point of contact is at rest from its first load on. The sole itself stands where it has
/// been pressed inside its rim for kSettleTime: only then can it not tip, and one that lands tipped
/// isn't taken for ground that leans. While it is pressed at its rim, it tells its speed alone.
/// Tilt is found from what the accelerometer would add to a speed that the legs don't show
/// (velocity-aided attitude, Hua 2010), so that no motion of the robot is taken for a tilt.
///
/// Without the IMU the soles alone tell: the base turns and moves as it must for them to stand.
/// With neither, nobody knows the base: is_known() is false, and the last pose stays.
///
/// It begins where the model's start pose has the soles, with the heading of that pose and the tilt
/// at which, over kBeginTime on at least one sole, the accelerometer and the legs agree:
///
///     ∫ F(R a) dt − Δ F(v_l)   points up
///
///     R    carried along by the gyro, from any tilt
///     F    a filter of kCalm, the same for both: the legs' speed of single cycles is the noise of
///          encoders
///
/// That holds for a robot that moves, sags or begins to fall, as long as its points of contact are
/// at rest: the soles must tell one speed, and the sum must be as long as g is. The last condition
/// that wasn't met is its doubt.
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
  double tilt = 20.0;   ///< k_t [1/s²]
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
  bool is_flat = true;                                ///< pressed inside its rim: it doesn't tip
};

/// The reason why nobody knows the base.
struct BaseDoubt {
  TorqueObstacle why = TorqueObstacle::kLooking;
  double value = 0.0;  ///< in the unit of its kind
  double limit = 0.0;
  bool operator==(const BaseDoubt&) const = default;
};

/// The IMU's sample in this cycle.
struct SeenImu {
  bool is_good = false;
  Eigen::Vector3d turn = Eigen::Vector3d::Zero();          ///< ω, along the axes of the base
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< a, likewise
  Eigen::Vector3d place = Eigen::Vector3d::Zero();         ///< r, in the base frame [m]
  Eigen::Vector3d speed = Eigen::Vector3d::Zero();         ///< u, likewise [m/s]
};

class BaseEstimator {
 public:
  static constexpr double kCalm = 0.02;  ///< [s] (a choice: noise of the legs' speed by a sixth)
  static constexpr double kCalmTime = 5.0 * kCalm;  ///< until F has forgotten how it began [s]
  static constexpr double kBeginTime = 0.15;        ///< after that [s] (a choice: averages noise)
  static constexpr double kApart = 0.1;             ///< between speeds by soles [m/s] (a choice)
  static constexpr double kBeginTurn = 0.5;         ///< faster, it falls [rad/s] (a choice)
  static constexpr double kBeginShare = 0.1;        ///< of g, in the length of the sum (a choice)
  /// Without the IMU the soles' orientation is all there is [1/s] (a choice: 50 ms).
  static constexpr double kTurnBySoles = 20.0;
  /// [s] (a choice: what a sole does after it has landed)
  static constexpr double kSettleTime = 0.1;

  struct Place {
    Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< of its middle [m]
    Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
    Eigen::Vector3d speed = Eigen::Vector3d::Zero();  ///< F of v_l by it, while nothing is known
    int settled = 0;                                  ///< cycles for which it has been flat
    bool stands = false;
  };

  /// While nothing is known.
  struct Beginning {
    int calming = 0;                                  ///< cycles of F
    int agreeing = 0;                                 ///< cycles of the sum
    Eigen::Vector3d up = Eigen::Vector3d::Zero();     ///< sum of F(R a) − Δ F(v_l) / dt
    Eigen::Vector3d felt = Eigen::Vector3d::Zero();   ///< F(R a)
    Eigen::Vector3d speed = Eigen::Vector3d::Zero();  ///< F(v_l)
    BaseDoubt doubt;                                  ///< as last met
  };

  /// State that is saved and restored by assignment.
  struct State {
    bool is_known = false;
    bool was_known = false;                               ///< once
    Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();   ///< R
    Eigen::Vector3d place = Eigen::Vector3d::Zero();      ///< p: of the base's origin [m]
    Eigen::Vector3d speed = Eigen::Vector3d::Zero();      ///< v
    Eigen::Vector3d turn = Eigen::Vector3d::Zero();       ///< ω − b of this cycle
    Eigen::Vector3d bias = Eigen::Vector3d::Zero();       ///< b
    Eigen::Vector3d imu = Eigen::Vector3d::Zero();        ///< r, in the last cycle
    Eigen::Vector3d imu_speed = Eigen::Vector3d::Zero();  ///< u
    std::array<Place, kMaxFeet> soles;
    Beginning beginning;
  };

  BaseEstimator() = default;
  /// @param start  pose of the base in the start pose of the model
  /// @param imu    place of the IMU in the base frame, in the start pose [m]
  /// @param soles  in the start pose: where they stand in the world
  BaseEstimator(const BaseGains& gains, const BaseState& start, const Eigen::Vector3d& imu,
                const Eigen::Vector3d& gravity, std::span<const Eigen::Vector3d> soles);

  /// Runs one cycle.
  void advance(const SeenImu& imu, std::span<const SeenSole> soles, double dt) noexcept;
  /// The tilt is to be found anew: after a fall.
  void lose() noexcept { lose({}); }

  [[nodiscard]] bool is_known() const noexcept { return state_.is_known; }
  /// While it isn't known: why.
  [[nodiscard]] BaseDoubt doubt(double dt) const noexcept;
  [[nodiscard]] BaseState base() const noexcept;

  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state) noexcept { state_ = state; }

 private:
  /// Estimate of all soles that bear, weighted by their loads.
  struct Legs {
    double load = 0.0;
    Eigen::Vector3d speed = Eigen::Vector3d::Zero();  ///< v_l
    Eigen::Vector3d spin = Eigen::Vector3d::Zero();   ///< of the base, if no sole turns
    Eigen::Vector3d turn = Eigen::Vector3d::Zero();   ///< e_R
    Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< e_p
    Eigen::Vector3d pivot = Eigen::Vector3d::Zero();  ///< middle of the soles, in the world
  };

  void lose(const BaseDoubt& why) noexcept;
  void begin(const SeenImu& imu, std::span<const SeenSole> soles, double dt) noexcept;
  void calm(const SeenImu& imu, std::span<const SeenSole> soles, double dt) noexcept;
  [[nodiscard]] double apart(std::span<const SeenSole> soles) const noexcept;
  void level(std::span<const SeenSole> soles) noexcept;
  void predict(const SeenImu& imu, double dt) noexcept;
  void follow_soles(std::span<const SeenSole> soles, double dt) noexcept;
  [[nodiscard]] Eigen::Vector3d speed_by(const SeenSole& sole) const noexcept;
  [[nodiscard]] Legs legs(std::span<const SeenSole> soles) const noexcept;
  void correct(const Legs& legs, bool has_imu, double dt) noexcept;
  void tilt(const Eigen::Vector3d& turn, const Eigen::Vector3d& about) noexcept;

  BaseGains gains_;
  Eigen::Vector3d gravity_ = Eigen::Vector3d(0.0, 0.0, -9.81);
  std::array<Eigen::Vector3d, kMaxFeet> starts_{};  ///< of the soles, in the world
  State state_;
};

}  // namespace jointrig
