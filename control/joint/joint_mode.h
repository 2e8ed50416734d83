#pragma once

#include <array>
#include <cstdint>

#include "control/core/faults.h"
#include "control/core/modes.h"
#include "control/core/robot_io.h"

namespace jointrig {

/// Requests for a joint's mode: the columns of the transition table.
#define JOINTRIG_TRANSITION_REQUESTS(X) \
  X(kIdle, "idle")                      \
  X(kPosition, "position")              \
  X(kPositionDirect, "position_direct") \
  X(kVelocity, "velocity")              \
  X(kMixed, "mixed")                    \
  X(kTorque, "torque")                  \
  X(kOpenloop, "openloop")              \
  X(kCartesian, "cartesian")            \
  X(kForceIdle, "force_idle")           \
  X(kCalibrate, "calibrate")
JOINTRIG_ENUM(TransitionRequest, JOINTRIG_TRANSITION_REQUESTS)

TransitionRequest as_transition(ModeRequest request) noexcept;

/// Every transition, for all joints and backends: kNone if the request is accepted, else the reason
/// of the refusal. Rows: the state that is read; columns: the request.
RejectReason transition(JointMode from, TransitionRequest request) noexcept;

/// The mode machine of one joint. The board's status outranks a request: a fault or a silent board
/// takes the joint out of its mode, and only an explicit request enters a mode again.
///
/// A mode is effective for commands as soon as the request is accepted; it is engaged when the
/// board reports that the motor is on, and until then the joint is off.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class JointModeMachine {
 public:
  static constexpr double kEnableTimeout =
      0.5;                                   ///< s, from CiA 402 practice: drives need 10 to 300 ms
  static constexpr double kToldShare = 0.4;  ///< of the time to enable: 0.2 s of 0.5 s
  static constexpr double kClearTimeout = 0.5;  ///< s to leave a fault
  static constexpr std::uint32_t kLostAfter =
      20;  ///< cycles without a sample: 20 ms at 1 kHz (libfranka's bar)

  /// Changes of a cycle, for events.
  /// One word: a copy in two overlapping halves stalls the one who reads it next.
  struct alignas(8) Change {
    bool mode = false;  ///< the shown mode changed: see `was`
    JointMode was = JointMode::kIdle;
    bool faulted = false;      ///< a fault was latched
    bool cleared = false;      ///< the previous fault was cleared: see `old_fault`
    bool fault_stays = false;  ///< force_idle was asked for, but the cause remains
    bool calibrated = false;   ///< a calibration ended
    bool waits = false;        ///< in a mode, and off for kToldShare of the time to enable
    FaultCode old_fault = FaultCode::kNone;
  };

  /// @param reports_status  false for a board without a status machine: it counts as on when driven
  /// @param enable_time  for a board to switch its motor on, where that is longer than
  ///                     kEnableTimeout [s]
  explicit JointModeMachine(bool reports_status = true, double enable_time = 0.0) noexcept
      : enable_time_(enable_time > kEnableTimeout ? enable_time : kEnableTimeout),
        reports_status_(reports_status) {}

  /// Returns kNone if accepted; otherwise nothing changed. Call check() first for all joints of a
  /// command.
  RejectReason request(TransitionRequest request) noexcept;
  [[nodiscard]] RejectReason check(TransitionRequest request) const noexcept {
    return transition(shown_, request);
  }

  /// Follows the board for one cycle.
  Change advance(const JointState& board, std::uint64_t cycle, double dt) noexcept;

  /// Latches a fault that the stack detected. Returns false if one is latched already.
  bool latch(FaultCode code, double value, double limit, std::uint64_t cycle) noexcept;

  [[nodiscard]] JointMode shown() const noexcept { return shown_; }
  [[nodiscard]] ControlMode mode() const noexcept { return mode_; }
  [[nodiscard]] bool driving() const noexcept { return engaged_ && mode_ != ControlMode::kIdle; }
  /// True if the motor shall be on: a mode other than idle is wanted and nothing prevents it.
  [[nodiscard]] bool wants_motor() const noexcept { return mode_ != ControlMode::kIdle; }
  [[nodiscard]] const Fault& fault() const noexcept { return fault_; }
  [[nodiscard]] BoardRequest board_request() const noexcept { return request_; }
  /// For the board to switch its motor on, or to begin a calibration [s].
  [[nodiscard]] double enable_timeout(double dt) const noexcept;

 private:
  void turn_off() noexcept;
  void follow(const JointState& board, std::uint64_t cycle, double dt, Change& change) noexcept;
  void leave_fault(const JointState& board, double dt, Change& change) noexcept;
  void follow_calibration(const JointState& board, std::uint64_t cycle, double dt,
                          Change& change) noexcept;
  void wait_for_motor(std::uint64_t cycle, double dt, Change& change) noexcept;
  [[nodiscard]] JointMode mode_to_show(const JointState& board) const noexcept;

  Fault fault_;
  double enable_time_;
  double waited_ = 0.0;  // s, waiting for the board to do as asked
  ControlMode mode_ = ControlMode::kIdle;
  JointMode shown_ = JointMode::kNotConfigured;
  BoardRequest request_ = BoardRequest::kNone;
  bool reports_status_;
  bool engaged_ = false;
  bool fresh_calibration_ = false;  // calibrated, and no mode asked for afterwards
};

}  // namespace jointrig
