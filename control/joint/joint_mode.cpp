#include "control/joint/joint_mode.h"

#include <algorithm>
#include <cmath>

namespace jointrig {
namespace {

using Row = std::array<RejectReason, kAllTransitionRequest.size()>;
constexpr RejectReason kTake = RejectReason::kNone;
constexpr RejectReason kFaulted = RejectReason::kBoardFaulted;
constexpr RejectReason kBusy = RejectReason::kCalibrating;
constexpr RejectReason kUncal = RejectReason::kNotCalibrated;
constexpr RejectReason kNoConf = RejectReason::kNotConfigured;
constexpr RejectReason kNotOff = RejectReason::kNotIdle;

// clang-format off
constexpr std::array<Row, kAllJointMode.size()> kTransitions{{
  //                   idle      position  direct    velocity  mixed     torque    openloop  cartesian force_idle calibrate
  /* idle            */ {kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,     kTake},
  /* position        */ {kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,     kNotOff},
  /* position_direct */ {kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,     kNotOff},
  /* velocity        */ {kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,     kNotOff},
  /* mixed           */ {kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,     kNotOff},
  /* torque          */ {kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,     kNotOff},
  /* openloop        */ {kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,     kNotOff},
  /* cartesian       */ {kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,     kNotOff},
  /* hw_fault        */ {kFaulted, kFaulted, kFaulted, kFaulted, kFaulted, kFaulted, kFaulted, kFaulted, kTake,     kFaulted},
  /* calibrating     */ {kTake,    kBusy,    kBusy,    kBusy,    kBusy,    kBusy,    kBusy,    kBusy,    kTake,     kBusy},
  /* calib_done      */ {kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,    kTake,     kTake},
  /* not_configured  */ {kNoConf,  kNoConf,  kNoConf,  kNoConf,  kNoConf,  kNoConf,  kNoConf,  kNoConf,  kTake,     kNoConf},
  /* configured      */ {kTake,    kUncal,   kUncal,   kUncal,   kUncal,   kUncal,   kUncal,   kUncal,   kTake,     kTake},
}};
// clang-format on

}  // namespace

TransitionRequest as_transition(ModeRequest request) noexcept {
  if (request == ModeRequest::kForceIdle) return TransitionRequest::kForceIdle;
  return static_cast<TransitionRequest>(requested_mode(request));  // the modes come first in both
}

RejectReason transition(JointMode from, TransitionRequest request) noexcept {
  return kTransitions[static_cast<std::size_t>(from)][static_cast<std::size_t>(request)];
}

/// On a slow bus as many cycles as a board may be silent: the steps of CiA 402 to an enabled drive
/// take three answers, each two cycles later.
double JointModeMachine::enable_timeout(double dt) const noexcept {
  return std::max(enable_time_, kLostAfter * dt);
}

void JointModeMachine::turn_off() noexcept {
  mode_ = ControlMode::kIdle;
  engaged_ = false;
}

RejectReason JointModeMachine::request(TransitionRequest request) noexcept {
  if (const RejectReason reason = check(request); reason != RejectReason::kNone) return reason;
  waited_ = 0.0;
  switch (request) {
    case TransitionRequest::kCalibrate:
      turn_off();
      request_ = BoardRequest::kCalibrate;
      shown_ = JointMode::kCalibrating;
      break;
    case TransitionRequest::kForceIdle:
      turn_off();
      // A board that is not configured must be set up again.
      request_ = fault_ || shown_ == JointMode::kNotConfigured ? BoardRequest::kClearFault
                                                               : BoardRequest::kNone;
      break;
    case TransitionRequest::kIdle:
      turn_off();
      request_ = BoardRequest::kNone;  // aborts a calibration
      break;
    default:
      request_ = BoardRequest::kNone;
      mode_ = static_cast<ControlMode>(request);
      break;
  }
  // From mode to mode the reading changes at once; the board itself must leave a board status.
  const bool board_has_the_word =
      shown_ == JointMode::kHwFault || shown_ == JointMode::kCalibrating ||
      shown_ == JointMode::kConfigured || shown_ == JointMode::kNotConfigured;
  if (!board_has_the_word) {
    shown_ = as_joint_mode(mode_);
    fresh_calibration_ = false;
  }
  return RejectReason::kNone;
}

bool JointModeMachine::latch(FaultCode code, double value, double limit,
                             std::uint64_t cycle) noexcept {
  if (fault_) return false;
  fault_ = {code, value, limit, cycle};
  shown_ = JointMode::kHwFault;
  request_ = BoardRequest::kNone;
  turn_off();
  return true;
}

JointModeMachine::Change JointModeMachine::advance(const JointState& board, std::uint64_t cycle,
                                                   double dt) noexcept {
  Change change;
  const JointMode before = shown_;
  const bool had_fault = static_cast<bool>(fault_);
  follow(board, cycle, dt, change);
  change.faulted = fault_ && !had_fault;
  change.mode = shown_ != before;
  change.was = before;
  return change;
}

void JointModeMachine::follow(const JointState& board, std::uint64_t cycle, double dt,
                              Change& change) noexcept {
  // The board's status comes first, then the conditions that this machine detects.
  if (board.status == BoardStatus::kHwFault) {
    latch(board.fault, board.fault_value, board.fault_limit, cycle);
  } else if (!std::isfinite(board.q) || !std::isfinite(board.v) || !std::isfinite(board.tau)) {
    latch(FaultCode::kNotFinite, !std::isfinite(board.q) ? board.q : board.v, 0.0, cycle);
  } else if (board.missed >= kLostAfter && shown_ != JointMode::kNotConfigured) {
    latch(FaultCode::kBoardLost, board.missed, kLostAfter, cycle);
  }
  if (fault_) {
    leave_fault(board, dt, change);
    return;
  }
  if (request_ == BoardRequest::kClearFault) {  // must be set up again
    waited_ += dt;
    const bool is_over = board.status != BoardStatus::kNotConfigured || waited_ > kClearTimeout;
    if (is_over) request_ = BoardRequest::kNone;
  }
  if (request_ == BoardRequest::kCalibrate) {
    follow_calibration(board, cycle, dt, change);
    return;
  }

  const bool may_drive = board.status == BoardStatus::kReady ||
                         board.status == BoardStatus::kEnabled ||
                         board.status == BoardStatus::kCalibDone;
  const bool on = !reports_status_ || board.status == BoardStatus::kEnabled;
  if (!may_drive && reports_status_) {
    turn_off();  // it restarted, or was set up again: no mode returns by itself
  } else if (mode_ != ControlMode::kIdle) {
    if (on) {
      engaged_ = true;
      waited_ = 0.0;
    } else if (engaged_) {
      turn_off();  // switched off by another master: shown as idle, left only by a request
    } else {
      wait_for_motor(cycle, dt, change);
    }
  }
  if (!fault_) shown_ = mode_to_show(board);
}

/// Nothing holds a joint in a mode whose motor is off: told before it is a fault.
void JointModeMachine::wait_for_motor(std::uint64_t cycle, double dt, Change& change) noexcept {
  const double limit = enable_timeout(dt);
  const bool was_told = waited_ >= kToldShare * limit;
  waited_ += dt;
  change.waits = !was_told && waited_ >= kToldShare * limit;
  if (waited_ > limit) latch(FaultCode::kEnableTimeout, waited_, limit, cycle);
}

void JointModeMachine::leave_fault(const JointState& board, double dt, Change& change) noexcept {
  shown_ = JointMode::kHwFault;
  turn_off();
  if (request_ != BoardRequest::kClearFault) return;
  const bool board_is_fine = board.status != BoardStatus::kHwFault && board.missed == 0 &&
                             std::isfinite(board.q) && std::isfinite(board.v) &&
                             std::isfinite(board.tau);
  if (board_is_fine) {
    change.cleared = true;
    change.old_fault = fault_.code;
    fault_ = {};
    request_ = BoardRequest::kNone;
    fresh_calibration_ = false;
    shown_ = mode_to_show(board);
  } else if ((waited_ += dt) > kClearTimeout) {
    change.fault_stays = true;
    request_ = BoardRequest::kNone;
  }
}

void JointModeMachine::follow_calibration(const JointState& board, std::uint64_t cycle, double dt,
                                          Change& change) noexcept {
  shown_ = JointMode::kCalibrating;
  if (board.status == BoardStatus::kCalibrating) {
    waited_ = -1.0;  // it has begun: from here on the board's own time limits apply
  } else if (waited_ < 0.0 && board.status == BoardStatus::kCalibDone) {
    change.calibrated = true;
    request_ = BoardRequest::kNone;
    fresh_calibration_ = true;
    shown_ = JointMode::kCalibDone;
  } else if (waited_ < 0.0) {  // the board aborted without a fault
    request_ = BoardRequest::kNone;
    shown_ = mode_to_show(board);
  } else if ((waited_ += dt) > enable_timeout(dt)) {
    latch(FaultCode::kCalibrationFailed, waited_, enable_timeout(dt), cycle);
  }
}

JointMode JointModeMachine::mode_to_show(const JointState& board) const noexcept {
  if (reports_status_) {
    switch (board.status) {
      case BoardStatus::kNotConfigured:
        return JointMode::kNotConfigured;
      case BoardStatus::kConfigured:
        return JointMode::kConfigured;
      case BoardStatus::kCalibrating:
        return JointMode::kCalibrating;
      case BoardStatus::kCalibDone:
        if (fresh_calibration_ && mode_ == ControlMode::kIdle) return JointMode::kCalibDone;
        break;
      case BoardStatus::kReady:
      case BoardStatus::kEnabled:
      case BoardStatus::kHwFault:
        break;
    }
  }
  return as_joint_mode(mode_);
}

}  // namespace jointrig
