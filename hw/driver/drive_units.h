#pragma once
/// Converts between a joint's SI units and the integers of a CiA 402 drive (CiA 402-2: 608Fh
/// encoder, 6091h gear, 6092h feed, 607Eh polarity, 6075h and 6076h rated values).
///
///     C      counts per rad of the joint = increments / revolutions · gear / 2π
///            counts per m of a slide     = increments / revolutions · gear / feed
///     q      = s (counts − zero) / C            position of the joint [rad or m]
///     v      = s · velocity / C                 velocity in counts/s
///            = s · velocity · 2π / (60 gear)    velocity in rpm of the motor
///     tau    = s · torque/1000 · T · gear · η   torque of the joint [N·m]; T: rated torque of the
///              motor, or rated current times torque constant where the drive's per mille is of
///              that
///            = that · 2π / feed                 force of a slide [N]
///
/// s = ±1 is the polarity, gear = motor revolutions in one of the shaft (> 0; may be below 1).

#include <cstdint>
#include <string>
#include <vector>

namespace jointrig::hw {

/// Unit of a drive's velocities (606Ch, 60FFh, 60B1h). CiA 402 leaves it to the maker.
enum class VelocityUnit : std::uint8_t {
  kCountsPerSecond,  ///< of the encoder
  kMotorRpm,         ///< maxon's default
};

/// Full scale of a drive's torques (6071h, 6077h), which are per mille of it.
enum class TorqueBase : std::uint8_t {
  kRatedTorque,   ///< 6076h: CiA 402
  kRatedCurrent,  ///< 6075h times the motor's torque constant: some servo terminals
};

struct DriveFacts {
  double encoder_increments = 65536;  ///< 608Fh:1
  double encoder_revolutions = 1;     ///< 608Fh:2, of the motor
  double gear = 1;                    ///< 6091h:1 / 6091h:2
  double feed = 0;             ///< of a slide, 6092h:1 / 6092h:2 [m per revolution of the shaft]
  bool reversed = false;       ///< the drive's positive direction is the joint's negative
  double zero_counts = 0;      ///< position of the drive where q = 0
  double rated_torque = 0;     ///< 6076h, of the motor [N·m]
  double rated_current = 0;    ///< 6075h [A]
  double torque_constant = 0;  ///< of the motor [N·m/A]
  double efficiency = 1;       ///< η of the gear, in (0, 1]
  VelocityUnit velocity_unit = VelocityUnit::kCountsPerSecond;
  TorqueBase torque_base = TorqueBase::kRatedTorque;
};

/// The limits of a joint that its drive has to be able to express.
struct DriveRange {
  double q_min = 0, q_max = 0;  ///< [rad or m]
  double v_max = 0;             ///< [rad/s or m/s]
  double tau_max = 0;           ///< [N·m or N]
};

/// Throws std::invalid_argument with a sentence unless `value` is above 0.
void must_be_positive(double value, const char* what);

/// Conversions of one joint, for the cycle: each is one multiplication. Values that don't fit the
/// drive's integer are brought to its end and counted as such by `saturated`.
class DriveUnits {
 public:
  DriveUnits() = default;
  /// Throws std::invalid_argument with a sentence for facts that make no units.
  DriveUnits(const DriveFacts& facts, bool slide);

  /// @param counts  of the drive's 32 bits, with the turns of a counter that wrapped around
  [[nodiscard]] double position(std::int64_t counts) const noexcept {
    return (static_cast<double>(counts) - zero_) * per_count_;
  }
  /// Counts with these lower 32 bits, the nearest to `there`.
  [[nodiscard]] static std::int64_t with_turns(std::int32_t position, std::int64_t there) noexcept;
  /// The nearest to the zero: of a drive whose counter wraps around within the joint's range, and
  /// whose turns nobody has counted yet.
  [[nodiscard]] std::int64_t nearest_to_zero(std::int32_t position) const noexcept;
  [[nodiscard]] double velocity(std::int32_t units) const noexcept {
    return static_cast<double>(units) * per_velocity_;
  }
  [[nodiscard]] double torque(std::int16_t per_mille) const noexcept {
    return static_cast<double>(per_mille) * per_mille_;
  }

  /// The nearest integer; at most ±2⁵², of which the drive gets the lower 32 bits. A NaN gives 0
  /// and counts as saturated: 0 is no position to move to, so the caller asks.
  [[nodiscard]] std::int64_t counts(double q, bool& saturated) const noexcept;
  [[nodiscard]] std::int32_t velocity_units(double v, bool& saturated) const noexcept;
  [[nodiscard]] std::int16_t per_mille(double tau, bool& saturated) const noexcept;

  // The SI value of one step of the integer, always positive.
  [[nodiscard]] double position_step() const noexcept {
    return per_count_ < 0 ? -per_count_ : per_count_;
  }
  [[nodiscard]] double velocity_step() const noexcept {
    return per_velocity_ < 0 ? -per_velocity_ : per_velocity_;
  }
  [[nodiscard]] double torque_step() const noexcept {
    return per_mille_ < 0 ? -per_mille_ : per_mille_;
  }

  [[nodiscard]] bool reversed() const noexcept { return per_count_ < 0; }

  /// Limits of a joint that the drive can't express, a sentence each; empty: all fit.
  [[nodiscard]] std::vector<std::string> misfits(const DriveRange& range) const;

 private:
  double zero_ = 0;
  double per_count_ = 1;     ///< signed [rad or m]
  double per_velocity_ = 1;  ///< signed [rad/s or m/s]
  double per_mille_ = 1;     ///< signed [N·m or N]
};

}  // namespace jointrig::hw
