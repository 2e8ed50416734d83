#pragma once
/// The drive modes of a board, and the other abilities that differ from board to board.

#include <cstdint>
#include <initializer_list>
#include <string>

#include "control/core/modes.h"
#include "control/core/types.h"

namespace jointrig {

/// A set of drive modes.
class DriveModes {
 public:
  constexpr DriveModes() noexcept = default;
  constexpr DriveModes(std::initializer_list<DriveMode> modes) noexcept {
    for (const DriveMode mode : modes) bits_ |= bit(mode);
  }
  constexpr void add(DriveMode mode) noexcept { bits_ |= bit(mode); }
  constexpr void remove(const DriveModes& others) noexcept { bits_ &= ~others.bits_; }
  [[nodiscard]] constexpr bool has(DriveMode mode) const noexcept {
    return (bits_ & bit(mode)) != 0;
  }
  bool operator==(const DriveModes&) const = default;

 private:
  static constexpr std::uint32_t bit(DriveMode mode) noexcept {
    return 1U << static_cast<unsigned>(mode);
  }
  std::uint32_t bits_ = 0;
};

/// Abilities of one joint's board. The stack emulates a missing drive mode where it can (velocity
/// from position, say) and refuses the rest, when it is built or when the mode is asked for.
struct JointCapabilities {
  std::string joint;             ///< name, as in the robot file
  DriveModes drive_modes;        ///< without kOff the motor can't be turned off: idle holds instead
  bool senses_velocity = false;  ///< false: the stack differentiates and filters q
  bool senses_torque = false;
  bool reports_status = false;  ///< false: the joint counts as enabled whenever it is driven
  /// True: starts as configured and needs calib_done before it may drive.
  bool needs_calibration = false;
  /// True: the board adds its own compensation to torque setpoints.
  bool compensates_gravity = false;
  /// False: beside a position or a velocity that it holds itself the board takes no torque.
  bool adds_torque = true;
  /// Time in which the board's motor is on once it is driven [s]; 0: that of the stack. Longer for
  /// boards that tell their status late.
  double enable_time = 0.0;
  std::string bus = {};  ///< bus of the board, for messages; empty: none
  TimeNs cycle_ns = 0;   ///< time between two commands; 0: a command in each cycle of the loop
};

/// Longest cycle of a board for which the stack may close a law, or keep an envelope, by torque.
inline constexpr TimeNs kLongestTorqueCycle = 2'000'000;

/// Drive modes of a board that the stack may use: without torque and duty if the board's cycle is
/// longer than kLongestTorqueCycle.
[[nodiscard]] inline DriveModes usable_modes(const JointCapabilities& board) noexcept {
  DriveModes usable = board.drive_modes;
  if (board.cycle_ns > kLongestTorqueCycle) usable.remove({DriveMode::kTorque, DriveMode::kDuty});
  return usable;
}

}  // namespace jointrig
