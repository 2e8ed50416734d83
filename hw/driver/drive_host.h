#pragma once
/// The host's side of one CiA 402 drive, as plain logic: the drive's report of a cycle becomes the
/// joint's state, the joint's setpoint becomes the drive's order. It walks the power machine,
/// starts homing, resets faults when asked, and bridges cycles without a report. No
/// bus, no clock; one call of heard() or silent(), then state(), then order() a cycle.
///
/// joint_track.h says which samples count, and what replaces a missing one. A counter that
/// wraps around at 32 bits is no jump. A drive that is silent for kLostAfter cycles is a fault
/// (board_lost), and is told to stop quickly as long as it may hear.
///
/// A fault, of the drive's or the host's finding, is latched here until it is asked to be cleared:
/// also when somebody else resets the drive, and when it starts anew.
///
/// SWITCH ON DISABLED, to which a drive may have come by itself, is left by a change of the
/// controlword, 0 and then 6: a word that stood while it came there counts with no drive that wants
/// edges. Whether the change was in vain is judged by reports alone: by those that come when the
/// word has stood for `status_time`, so that a drive that tells its state late is not held back by
/// a 0 that it did not need.
///
/// A quick stop that is active is left by a mode alone: idle lets the drive come to rest.
///
/// Everything here is noexcept and allocates nothing.

#include <cstdint>
#include <optional>
#include <string_view>

#include "control/core/board_notice.h"
#include "control/core/robot_io.h"
#include "hw/cia402/drive_use.h"
#include "hw/driver/drive_units.h"
#include "hw/driver/joint_track.h"
#include "hw/driver/last_inputs.h"
#include "hw/driver/motion_watch.h"

namespace jointrig::hw {

/// A drive's report in one cycle.
struct DriveReport {
  std::uint16_t statusword = 0;  ///< 6041h
  std::int8_t mode = 0;          ///< 6061h
  std::int32_t position = 0;     ///< 6064h
  std::int32_t velocity = 0;     ///< 606Ch
  std::int16_t torque = 0;       ///< 6077h
  std::uint16_t error_code = 0;  ///< 603Fh
};

/// The values that a drive reports now and then.
struct SlowReport {
  double temperature_C = 0;
  double supply_V = 0;
  double progress = 0;  ///< of a homing under way, 0..1; 0 of a drive that does not tell
};

/// Values that a drive of the project adds to an event (2041h), in SI units of the joint.
struct Finding {
  double value = 0;  ///< of a fault, or the zero that homing found
  double limit = 0;
};

/// The drive's order in one cycle. Targets of modes other than `mode` are those that keep the joint
/// where it is, so that a drive that changes its mode finds nothing to jump to.
struct DriveOrder {
  std::uint16_t controlword = 0;  ///< 6040h
  std::int8_t mode = 0;           ///< 6060h
  cia402::DriveUse use = cia402::DriveUse::kIdle;
  std::int32_t position = 0;         ///< 607Ah
  std::int32_t velocity = 0;         ///< 60FFh
  std::int32_t velocity_offset = 0;  ///< 60B1h
  std::int16_t torque = 0;           ///< 6071h
  std::int16_t torque_offset = 0;    ///< 60B2h
  std::int16_t duty = 0;             ///< 2020h:1
  bool operator==(const DriveOrder&) const = default;
};

struct DriveHostSpec {
  DriveUnits units;
  double period = 1e-3;    ///< of the bus [s]
  double loop_period = 0;  ///< of the loop, where the bus's is longer [s]
  double v_max = 0;        ///< of the joint [rad/s or m/s]; 0: samples are not checked for jumps
  std::uint32_t supported_modes = 0;  ///< 6502h
  bool has_pwm = false;
  bool needs_calibration = false;
  double status_time = 0.1;    ///< for 6041h to show what 6040h did [s]
  double mode_patience = 0.5;  ///< for 6061h to follow 6060h [s]
  /// A virtual board. Its physics holds the robot until the stack runs: kStackRuns in every
  /// controlword tells it.
  bool is_virtual = false;
  /// Bit 12 of the statusword tells in the cyclic modes that the drive follows; some leave it 0.
  bool tells_following = false;
  std::uint8_t inputs_active_low = 0;  ///< digital inputs that are on without voltage, a bit each
  double following_window = 0;         ///< motion_watch.h [rad or m]; 0: left to the drive
  double following_time = 0.02;        ///< [s]
  bool tells_velocity = true;          ///< false: it is the change of the position since the last
};

/// Bits 0 to 15 of 60FDh are CiA 402's, for limit and home switches or reserved; from this one on
/// they are the inputs of the drive's maker. Input 0 of a joint is the first of them.
inline constexpr unsigned kFirstInputBit = 16;

/// One of the controlword's bits 11 to 15, which are the maker's. The project's virtual
/// boards know it: the commands come from the stack, and no longer from the set-up.
inline constexpr std::uint16_t kStackRuns = 0x8000;

class DriveHost {
 public:
  static constexpr std::uint32_t kLostAfter = 20;  ///< the stack's bar too

  explicit DriveHost(const DriveHostSpec& spec) noexcept
      : spec_(spec),
        track_(spec.period, spec.v_max, spec.loop_period),
        inputs_(spec.inputs_active_low),
        watch_(
            {.window = spec.following_window, .time = spec.following_time, .period = spec.period}) {
  }

  /// The drive is heard, operational, its identity and settings are verified. Until then it
  /// is only ordered off. A drive that loses this state loses its calibration.
  void set_configured(bool configured) noexcept;

  /// The report of this cycle.
  void heard(const DriveReport& report) noexcept;
  void heard(const SlowReport& report) noexcept { slow_ = report; }
  /// With the state that it belongs to, or a cycle before.
  void heard(const Finding& finding) noexcept;
  /// 60FDh of this cycle, once a cycle; nothing: it did not come.
  void heard_inputs(std::optional<std::uint32_t> inputs) noexcept;
  /// A report of the cycle before that came too late for it: extrapolated by one cycle.
  void heard_late(const DriveReport& report) noexcept;
  /// No report came in this cycle.
  void silent() noexcept;
  /// The host left out so many cycles before this one.
  void skipped(std::uint64_t cycles) noexcept { track_.skip(cycles); }
  /// Latches a fault that the bus found: kBusLost, kDuplicateNode.
  void fail(FaultCode fault, double value = 0.0, double limit = 0.0) noexcept;
  /// Latched by the host: found by it or by the bus.
  [[nodiscard]] FaultCode own_fault() const noexcept { return own_fault_; }

  /// The joint in this cycle.
  /// @param since  the SYNC of the cycle that was closed last [s]
  void state(JointState& state, double since = 0) const noexcept;

  /// The order for this setpoint. False: none, because the setpoint is no number; the drive's own
  /// watchdog then does what it does.
  bool order(const JointSetpoint& setpoint, DriveOrder& order) noexcept;

  /// Setpoints are the stack's from here on; after the next set-up, from the first that drives on.
  void begin() noexcept { begun_ = true; }

  /// The drive is off and one word away from being enabled; or in a fault, which only a request
  /// leaves.
  [[nodiscard]] bool is_settled() const noexcept;
  [[nodiscard]] std::string_view state_in_words() const noexcept;
  /// Time in which the drive is enabled, or is a fault [s].
  [[nodiscard]] double enable_time() const noexcept;

  [[nodiscard]] const DriveHostSpec& spec() const noexcept { return spec_; }

  // Counts since construction.
  [[nodiscard]] std::uint64_t replaced_samples() const noexcept { return track_.replaced(); }
  [[nodiscard]] std::uint64_t saturated_orders() const noexcept { return saturated_; }
  [[nodiscard]] std::uint32_t age() const noexcept { return track_.age(); }

  /// Events of this cycle beside the state: a bit each of kAllNotice, taken once.
  [[nodiscard]] std::uint32_t take_notices() noexcept {
    const std::uint32_t all = notices_;
    notices_ = 0;
    return all;
  }
  [[nodiscard]] static constexpr std::uint32_t bit(Notice notice) noexcept {
    return 1U << static_cast<unsigned>(notice);
  }
  /// In the notice's unit; 0 where it has none.
  [[nodiscard]] double value_of(Notice notice) const noexcept;

 private:
  void watch_faults(cia402::PowerState seen) noexcept;
  void watch_motion(const DriveReport& report, bool enabled) noexcept;
  void watch_bits(const DriveReport& report, bool enabled) noexcept;
  void note(Notice notice) noexcept { notices_ |= bit(notice); }
  [[nodiscard]] double speed_of(const DriveReport& report, std::int64_t counts) const noexcept;
  void take_position(const DriveReport& report) noexcept;
  void latch(FaultCode fault, double value, double limit) noexcept;
  void watch_homing(const DriveReport& report) noexcept;
  void use_finding() noexcept;
  void watch_mode(const cia402::DriveWish& wish) noexcept;
  void watch_change(cia402::PowerState seen) noexcept;
  [[nodiscard]] std::uint16_t word_out_of_disabled() noexcept;
  [[nodiscard]] double status_time() const noexcept;
  [[nodiscard]] cia402::DriveUse use_of(const JointSetpoint& setpoint) const noexcept;
  [[nodiscard]] std::uint16_t fault_word(cia402::PowerState seen) const noexcept;
  [[nodiscard]] std::uint16_t controlword(const cia402::DriveWish& wish) noexcept;
  void put_targets(const JointSetpoint& setpoint, DriveOrder& order) noexcept;
  [[nodiscard]] BoardStatus status() const noexcept;
  [[nodiscard]] cia402::DriveFacts facts() const noexcept;

  DriveHostSpec spec_;
  bool configured_ = false;
  bool was_enabled_ = false;
  bool homed_ = false;
  bool fresh_homing_ = false;  ///< done, and not driven since
  DriveReport last_;           ///< as heard, a jump included
  SlowReport slow_;
  JointTrack track_;
  std::int64_t counts_ = 0;  ///< of the last good sample, with the turns that wrapped around

  FaultCode own_fault_ = FaultCode::kNone;  ///< found by the host
  double fault_value_ = 0;
  double fault_limit_ = 0;

  FaultCode drive_fault_ = FaultCode::kNone;  ///< found by the drive, until it is cleared here
  std::uint16_t drive_error_ = 0;
  Finding drive_finding_;  ///< what it says of that fault
  double zero_ = 0;        ///< that the last homing found
  bool awaits_zero_ = false;
  std::optional<Finding> unused_finding_;  ///< of this cycle, or of the one before
  bool clearing_ = false;                  ///< by the last order
  bool in_fault_ = false;                  ///< as last seen
  bool followed_ = false;                  ///< bit 12 was seen since it was enabled in this mode
  bool stopped_ = false;                   ///< it went away since, and did not come back
  bool warned_ = false;
  bool in_quick_stop_ = false;
  LastInputs inputs_;
  MotionWatch watch_;
  std::uint32_t notices_ = 0;

  DriveOrder sent_;
  DriveOrder in_force_;  ///< the order before, which acted until the last report
  bool begun_ = false;
  double waits_for_mode_ = 0;

  std::optional<cia402::PowerState> seen_;  ///< in the last report that showed a state
  bool reported_ = false;                   ///< since the last order
  double stood_for_ = 0;                    ///< 6, while reports came [s]
  double holds_ = 0;                        ///< 0, from now on [s]
  std::uint64_t saturated_ = 0;
};

}  // namespace jointrig::hw
