#include "hw/cia402/drive_machine.h"

namespace jointrig::cia402 {

namespace {

bool leads_up(Command command) noexcept {
  return command != Command::kDisableVoltage && command != Command::kQuickStop;
}

bool is_set(std::uint16_t word, std::uint16_t bit) noexcept { return (word & bit) != 0; }

}  // namespace

bool DriveMachine::accepts_mode(std::int8_t code) const noexcept {
  if (code == mode::kNone) return true;
  if (code == mode::kVendorPwm) return options_.has_pwm;
  return is_offered(options_.supported_modes, code);
}

const DriveOutputs& DriveMachine::update(const DriveInputs& inputs) noexcept {
  const auto rises = [&](std::uint16_t bit) {
    return is_set(inputs.controlword, bit) && !is_set(controlword_, bit);
  };
  const bool reset_edge = rises(control::kFaultReset);
  const bool start_edge = rises(control::kModeSpecific4);
  if (stood_ && command_of(inputs.controlword) != *stood_) stood_.reset();

  follow_automatic(inputs);
  obey(inputs, reset_edge);
  follow_mode(inputs);
  follow_homing(inputs);
  follow_set_points(inputs, start_edge);
  controlword_ = inputs.controlword;
  show_motion(inputs);
  show_statusword(inputs);
  return outputs_;
}

void DriveMachine::enter(PowerState state) noexcept {
  state_ = state;
  leaving_.reset();
  opens_brake_ = false;
  if (state != PowerState::kQuickStopActive) disable_after_stop_ = false;
}

void DriveMachine::enter_by_itself(PowerState state) noexcept {
  enter(state);
  stood_ = command_of(controlword_);
}

bool DriveMachine::is_powered() const noexcept {
  return state_ == PowerState::kOperationEnabled || state_ == PowerState::kQuickStopActive;
}

QuickStop DriveMachine::quick_stop() const noexcept {
  return quick_stop_of(options_.quick_stop).value_or(QuickStop{Stop::kQuickRamp, true});
}

/// 11; without a stop there is nothing to be active, so 12 follows at once.
void DriveMachine::start_quick_stop() noexcept {
  enter(quick_stop().stop == Stop::kPowerOff ? PowerState::kSwitchOnDisabled
                                             : PowerState::kQuickStopActive);
}

/// 1, 12, 14.
void DriveMachine::follow_automatic(const DriveInputs& inputs) noexcept {
  switch (state_) {
    case PowerState::kNotReadyToSwitchOn:
      return enter_by_itself(PowerState::kSwitchOnDisabled);
    case PowerState::kFaultReactionActive:
      if (reaction_ == Stop::kPowerOff || inputs.standstill) enter_by_itself(PowerState::kFault);
      return;
    case PowerState::kQuickStopActive:
      if (inputs.standstill && (disable_after_stop_ || !quick_stop().stays)) {
        enter_by_itself(PowerState::kSwitchOnDisabled);
      }
      return;
    default:
      return;
  }
}

void DriveMachine::obey(const DriveInputs& inputs, bool reset_edge) noexcept {
  const Command command = command_of(inputs.controlword);
  opens_brake_ = opens_brake_ && command == Command::kEnableOperation;
  if (stood_ == command && leads_up(command)) return;
  if (command == Command::kFaultReset) {
    if (!reset_edge || state_ != PowerState::kFault) return;
    if (inputs.fault_present) {
      ++refused_resets_;
      return;
    }
    outputs_.error_code = 0;
    return enter(PowerState::kSwitchOnDisabled);
  }
  if (command == Command::kEnableOperation && state_ == PowerState::kOperationEnabled) {
    leaving_.reset();  // thought better of it
    return;
  }
  const auto next = transition(state_, command);
  if (!next) return;
  switch (next->number) {
    case 3:
      if (inputs.voltage_present) enter(next->to);
      return;
    case 4:
      if (inputs.voltage_present) enable(inputs);
      return;
    case 5:
      return leave_enabled(
          next->to, disable_stop_of(options_.disable_operation).value_or(Stop::kRamp), inputs);
    case 8:
      return leave_enabled(next->to, disable_stop_of(options_.shutdown).value_or(Stop::kPowerOff),
                           inputs);
    case 11:
      return start_quick_stop();
    case 16:
      if (quick_stop().stays && !disable_after_stop_ && inputs.voltage_present) enter(next->to);
      return;
    default:
      return enter(next->to);
  }
}

/// 4: torque first, then the brake.
void DriveMachine::enable(const DriveInputs& inputs) noexcept {
  if (inputs.brake_open) return enter(PowerState::kOperationEnabled);
  opens_brake_ = true;
}

/// 5 and 8: with a ramp the drive is enabled until it stands.
void DriveMachine::leave_enabled(PowerState to, Stop stop, const DriveInputs& inputs) noexcept {
  if (stop == Stop::kPowerOff || inputs.standstill) return enter(to);
  leaving_ = stop;
}

void DriveMachine::follow_mode(const DriveInputs& inputs) noexcept {
  if (inputs.mode == mode::kNone || !accepts_mode(inputs.mode)) return;
  outputs_.mode = inputs.mode;
}

void DriveMachine::follow_homing(const DriveInputs& inputs) noexcept {
  const bool is_wanted = state_ == PowerState::kOperationEnabled && !leaving_ &&
                         outputs_.mode == mode::kHoming &&
                         is_set(inputs.controlword, control::kModeSpecific4) &&
                         !is_set(inputs.controlword, control::kHalt);
  const bool ran = outputs_.homing_number != 0;
  if (!is_wanted) {
    const bool under_way = homing_ == Homing::kRunning || homing_ == Homing::kAttainedMoving;
    if (ran && under_way) homing_ = Homing::kNotStarted;
    outputs_.homing_number = 0;
    return;
  }
  if (!ran) {
    homing_ = Homing::kRunning;
    outputs_.homing_number = ++homing_number_;
    return;
  }
  const bool is_of_this_one = inputs.homing.number == homing_number_;
  if (is_of_this_one && inputs.homing.state != Homing::kNotStarted) homing_ = inputs.homing.state;
}

/// The handshake of profile position: bit 4 rises, bit 12 answers, both fall.
void DriveMachine::follow_set_points(const DriveInputs& inputs, bool start_edge) noexcept {
  const bool can_take = outputs_.mode == mode::kProfilePosition &&
                        state_ == PowerState::kOperationEnabled && !leaving_;
  const bool start = is_set(inputs.controlword, control::kModeSpecific4);
  if (!can_take || !start) set_point_taken_ = false;
  if (!can_take || !start_edge) return;
  set_point_taken_ = true;
  ++outputs_.set_points;
}

void DriveMachine::show_motion(const DriveInputs& inputs) noexcept {
  outputs_.state = state_;
  outputs_.motion = Motion::kOff;
  outputs_.stop = Stop::kPowerOff;
  const auto stop = [this](Stop how) {
    outputs_.motion = Motion::kStop;
    outputs_.stop = how;
  };
  if (state_ == PowerState::kQuickStopActive) return stop(quick_stop().stop);
  if (state_ == PowerState::kFaultReactionActive && reaction_ != Stop::kPowerOff) {
    return stop(reaction_);
  }
  if (opens_brake_) outputs_.motion = Motion::kFollow;
  if (state_ != PowerState::kOperationEnabled) return;
  if (leaving_) return stop(*leaving_);
  if (is_set(inputs.controlword, control::kHalt) && has_halt(outputs_.mode)) {
    return stop(halt_stop_of(options_.halt).value_or(Stop::kRamp));
  }
  outputs_.motion = Motion::kFollow;
}

void DriveMachine::show_statusword(const DriveInputs& inputs) noexcept {
  std::uint16_t word = status_bits(state_) | status::kRemote;
  const auto show = [&word](std::uint16_t bit, bool on) {
    if (on) word = static_cast<std::uint16_t>(word | bit);
  };
  show(status::kVoltageEnabled, inputs.voltage_present);
  show(status::kWarning, inputs.warning);
  show(status::kInternalLimit, inputs.internal_limit);
  const bool follows = outputs_.motion == Motion::kFollow;
  const bool start = is_set(inputs.controlword, control::kModeSpecific4);
  if (outputs_.mode == mode::kHoming) {
    const bool hidden = homing_ == Homing::kNotStarted && !options_.shows_homing_not_started;
    show(hidden ? std::uint16_t{0} : status_bits(homing_), true);
  } else {
    show(status::kTargetReached, inputs.target_reached);
  }
  if (outputs_.mode == mode::kProfilePosition) {
    show(status::kModeSpecific12, set_point_taken_);
    show(status::kModeSpecific13, inputs.following_error);
  }
  if (outputs_.mode == mode::kInterpolatedPosition) {
    show(status::kModeSpecific12, follows && start);
  }
  if (is_cyclic(outputs_.mode)) show(status::kModeSpecific12, follows && !inputs.command_lost);
  if (outputs_.mode == mode::kCyclicPosition) {
    show(status::kModeSpecific13, inputs.following_error);
  }
  outputs_.statusword = word;
}

void DriveMachine::raise_fault(std::uint16_t code) noexcept {
  outputs_.error_code = code;
  if (is_fault(state_)) return;
  const bool powered = is_powered();
  reaction_ = powered ? fault_reaction_of(options_.fault_reaction).value_or(Stop::kQuickRamp)
                      : Stop::kPowerOff;
  enter_by_itself(PowerState::kFaultReactionActive);
}

void DriveMachine::connection_lost(std::uint16_t code) noexcept {
  switch (connection_lost_of(options_.connection_lost).value_or(ConnectionLost::kFault)) {
    case ConnectionLost::kNothing:
      return;
    case ConnectionLost::kFault:
      return raise_fault(code);
    case ConnectionLost::kDisableVoltage:
      if (const auto next = transition(state_, Command::kDisableVoltage); next) {
        enter_by_itself(next->to);
      }
      return;
    case ConnectionLost::kQuickStop:
      if (state_ == PowerState::kOperationEnabled) {
        start_quick_stop();
        stood_ = command_of(controlword_);
      }
      return;
  }
}

void DriveMachine::network_left() noexcept {
  if (state_ == PowerState::kOperationEnabled) start_quick_stop();
  if (state_ == PowerState::kQuickStopActive) disable_after_stop_ = true;
  if (state_ == PowerState::kReadyToSwitchOn || state_ == PowerState::kSwitchedOn) {
    enter(PowerState::kSwitchOnDisabled);
  }
  stood_ = command_of(controlword_);
}

void DriveMachine::reset() noexcept {
  enter_by_itself(PowerState::kNotReadyToSwitchOn);
  const std::uint32_t set_points = outputs_.set_points;
  outputs_ = DriveOutputs{};
  outputs_.set_points = set_points;
  homing_ = Homing::kNotStarted;
  reaction_ = Stop::kPowerOff;
}

}  // namespace jointrig::cia402
