#include "hw/driver/drive_host.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <numbers>

#include "hw/cia402/drive_machine.h"
#include "hw/driver/fault_codes.h"

namespace jointrig::hw {
namespace {

using cia402::DriveUse;
using cia402::PowerState;

constexpr std::uint16_t kStuckMode = 0x0637;  // statusword: operation enabled, voltage, remote

DriveFacts facts() {
  DriveFacts f;
  f.encoder_increments = 4096;
  f.gear = 100;
  f.rated_torque = 0.5;
  return f;
}

DriveHostSpec spec() {
  DriveHostSpec s;
  s.units = DriveUnits(facts(), false);
  s.v_max = 2.0;  // [rad/s]
  s.supported_modes = 0x3AD;
  s.has_pwm = true;
  return s;
}

/// A host and a drive that exchange frames once a cycle: a command of a cycle acts in the next, as
/// on a bus.
class Pair {
 public:
  explicit Pair(const DriveHostSpec& s = spec()) : host(s) {
    host.set_configured(true);
    inputs.controlword = 0;
  }

  void cycle(const JointSetpoint& setpoint) {
    const cia402::DriveOutputs& drive = machine.update(inputs);
    DriveReport report;
    report.statusword = drive.statusword;
    report.mode = drive.mode;
    report.position = position;
    report.velocity = velocity;
    report.torque = torque;
    report.error_code = drive.error_code;
    host.heard(report);
    host.state(joint);
    if (host.order(setpoint, order)) {
      inputs.controlword = order.controlword;
      inputs.mode = order.mode;
    }
  }

  void cycles(int count, const JointSetpoint& setpoint) {
    for (int i = 0; i < count; ++i) cycle(setpoint);
  }

  PowerState drive_state() const { return machine.outputs().state; }

  cia402::DriveMachine machine;
  cia402::DriveInputs inputs;
  std::int32_t position = 1000;
  std::int32_t velocity = 0;
  std::int16_t torque = 0;
  DriveHost host;
  JointState joint;
  DriveOrder order;
};

JointSetpoint off() { return {}; }
JointSetpoint driven(DriveMode mode) {
  JointSetpoint s;
  s.drive = mode;
  return s;
}
JointSetpoint asking(BoardRequest request) {
  JointSetpoint s;
  s.request = request;
  return s;
}

TEST(DriveHost, AnIdleJointIsSwitchedOnWithItsStageOff) {
  Pair pair;
  pair.cycles(50, off());
  EXPECT_EQ(pair.drive_state(), PowerState::kSwitchedOn);
  EXPECT_EQ(pair.joint.status, BoardStatus::kReady);
}

TEST(DriveHost, FromIdleOneWordEnablesTheModeThatIsDriven) {
  const std::pair<DriveMode, std::int8_t> kModes[] = {{DriveMode::kPosition, 8},
                                                      {DriveMode::kVelocity, 9},
                                                      {DriveMode::kTorque, 10},
                                                      {DriveMode::kDuty, -1}};
  for (const auto& [drive, code] : kModes) {
    SCOPED_TRACE(to_string(drive));
    Pair pair;
    pair.cycles(20, off());
    pair.cycle(driven(drive));
    EXPECT_EQ(pair.order.mode, code);
    EXPECT_EQ(pair.order.controlword, 0x000F);
    pair.cycles(2, driven(drive));
    EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled);
    EXPECT_EQ(pair.machine.outputs().mode, code);
    pair.cycles(2, off());
    EXPECT_EQ(pair.drive_state(), PowerState::kSwitchedOn) << "and off again by one word";
    EXPECT_EQ(pair.joint.status, BoardStatus::kReady);
  }
}

TEST(DriveHost, TargetsOfOtherModesKeepTheJointWhereItIs) {
  Pair pair;
  pair.position = -512'000;
  JointSetpoint push = driven(DriveMode::kTorque);
  push.tau = 12.5;  // 0.25 of the rated torque through the gear
  push.q = 99.0;    // not this mode's
  pair.cycles(10, push);
  EXPECT_EQ(pair.order.torque, 250);
  EXPECT_EQ(pair.order.position, -512'000);
  EXPECT_EQ(pair.order.velocity, 0);
  EXPECT_EQ(pair.order.duty, 0);
}

TEST(DriveHost, InputsAreTheMakersBitsAndAreOffFromTheThirdCycleWithoutThem) {
  Pair pair;
  const auto told = [&](std::optional<std::uint32_t> object) {
    pair.host.heard_inputs(object);
    pair.cycle(off());
    return pair.joint.inputs;
  };
  EXPECT_EQ(told(std::nullopt), 0) << "nothing is known yet";
  EXPECT_EQ(told(0x0000'0007), 0) << "limits and the home switch are no inputs";
  EXPECT_EQ(told(0x0081'0001), 0x81) << "bit 16 is input 0";
  EXPECT_EQ(told(0xFF00'0000), 0) << "beyond the eighth";
  EXPECT_EQ(told(0x0004'0000), 0b100);
  EXPECT_EQ(told(std::nullopt), 0b100);
  EXPECT_EQ(told(std::nullopt), 0b100);
  EXPECT_EQ(told(std::nullopt), 0) << "the state goes on, they do not";
  EXPECT_EQ(pair.joint.missed, 0U);
  EXPECT_EQ(told(0x0004'0000), 0b100);
  pair.host.set_configured(false);
  EXPECT_EQ(told(0x0004'0000), 0) << "of a board that isn't what it must be";
}

TEST(DriveHost, AnInputThatIsActiveLowIsOnWithoutVoltageButNotWhereNothingIsKnown) {
  DriveHostSpec low = spec();
  low.inputs_active_low = 0b100;
  Pair pair(low);
  const auto told = [&](std::optional<std::uint32_t> object) {
    pair.host.heard_inputs(object);
    pair.cycle(off());
    return pair.joint.inputs;
  };
  EXPECT_EQ(told(std::nullopt), 0);
  EXPECT_EQ(told(0x0004'0000), 0);
  EXPECT_EQ(told(0x0000'0000), 0b100);
  EXPECT_EQ(told(0x0001'0000), 0b101) << "of the others voltage is on";
  for (int i = 0; i < 2; ++i) EXPECT_EQ(told(std::nullopt), 0b101);
  EXPECT_EQ(told(std::nullopt), 0);
}

TEST(DriveHost, WithoutConfigurationADriveIsToldToComeToRestAndThenLeftAlone) {
  Pair pair;
  pair.cycles(10, driven(DriveMode::kPosition));
  ASSERT_EQ(pair.drive_state(), PowerState::kOperationEnabled);
  pair.host.set_configured(false);
  pair.cycles(3, driven(DriveMode::kPosition));
  EXPECT_EQ(pair.order.controlword, 0x0002) << "quick stop";
  EXPECT_EQ(pair.drive_state(), PowerState::kQuickStopActive);
  EXPECT_EQ(pair.joint.status, BoardStatus::kNotConfigured);

  Pair idle;
  idle.host.set_configured(false);
  idle.cycles(3, driven(DriveMode::kPosition));
  EXPECT_EQ(idle.order.controlword, 0);
  EXPECT_EQ(idle.drive_state(), PowerState::kSwitchOnDisabled);
}

TEST(DriveHost, AModeThatTheDriveLacksLeavesItIdle) {
  DriveHostSpec s = spec();
  s.supported_modes = 1U << 7;  // cyclic position alone
  Pair pair(s);
  pair.cycles(20, driven(DriveMode::kTorque));
  EXPECT_EQ(pair.order.use, DriveUse::kIdle);
  EXPECT_EQ(pair.drive_state(), PowerState::kSwitchedOn);
}

TEST(DriveHost, SilenceIsCarriedOverForTwoCyclesAndToldInAll) {
  Pair pair;
  pair.velocity = 65'190;  // counts/s: about 1 rad/s
  pair.cycles(10, off());
  const double q = pair.joint.q;
  const double step = pair.joint.v * 1e-3;
  const double expected[] = {q + step, q + 2 * step, q + 2 * step, q + 2 * step};
  for (unsigned i = 0; i < 4; ++i) {
    pair.host.silent();
    pair.host.state(pair.joint);
    EXPECT_DOUBLE_EQ(pair.joint.q, expected[i]);
    EXPECT_EQ(pair.joint.missed, i + 1);
  }
  pair.position += 326;  // five cycles of it
  pair.cycle(off());
  EXPECT_EQ(pair.joint.missed, 0U);
  EXPECT_DOUBLE_EQ(pair.joint.q, spec().units.position(1326));
  EXPECT_EQ(pair.host.replaced_samples(), 0U);
}

TEST(DriveHost, AGlitchIsReplacedAndThreeInARowAreAFault) {
  Pair pair;
  pair.cycles(10, driven(DriveMode::kPosition));
  const double q = pair.joint.q;
  // 2 v_max T = 4 mrad are 260.8 counts.
  pair.position = 1262;
  pair.cycle(driven(DriveMode::kPosition));
  EXPECT_DOUBLE_EQ(pair.joint.q, q);
  EXPECT_EQ(pair.joint.missed, 1U);
  pair.position = 1000;
  pair.cycle(driven(DriveMode::kPosition));
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled);
  EXPECT_EQ(pair.host.replaced_samples(), 1U);

  pair.position = 1260;  // a step that the joint could just have made
  pair.cycle(driven(DriveMode::kPosition));
  EXPECT_EQ(pair.joint.missed, 0U);

  pair.position = 900'000;
  pair.cycles(2, driven(DriveMode::kPosition));
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled);
  pair.cycle(driven(DriveMode::kPosition));
  EXPECT_EQ(pair.joint.status, BoardStatus::kHwFault);
  EXPECT_EQ(pair.joint.fault, FaultCode::kEncoderJump);
  EXPECT_NEAR(pair.joint.fault_value, (900'000 - 1260) * 2 * std::numbers::pi / 409'600, 1e-9);
  EXPECT_NEAR(pair.joint.fault_limit, 3 * 4e-3, 1e-12) << "three cycles since a good sample";
  pair.cycles(2, driven(DriveMode::kPosition));
  EXPECT_EQ(pair.drive_state(), PowerState::kSwitchedOn) << "the host takes the stage off";
  pair.cycles(100, driven(DriveMode::kPosition));
  EXPECT_EQ(pair.joint.status, BoardStatus::kHwFault) << "and nothing but clear_fault undoes it";
  pair.cycle(asking(BoardRequest::kClearFault));
  pair.cycle(off());
  EXPECT_EQ(pair.joint.status, BoardStatus::kReady);
}

TEST(DriveHost, ACounterThatWrapsAroundIsNoJump) {
  Pair pair;
  pair.position = 2'147'483'600;
  pair.velocity = 65'190;
  pair.cycles(5, off());
  const double q = pair.joint.q;
  pair.position = -2'147'483'631;  // 65 counts on
  pair.cycle(off());
  EXPECT_NEAR(pair.joint.q - q, 65 * spec().units.position_step(), 1e-9);
  EXPECT_EQ(pair.host.replaced_samples(), 0U);
  JointSetpoint hold = driven(DriveMode::kPosition);
  hold.q = pair.joint.q;
  pair.cycle(hold);
  EXPECT_EQ(pair.order.position, -2'147'483'631) << "the drive's own 32 bits";
}

TEST(DriveHost, AJointThatStartsBeyondTheEndOfItsCounterIsWhereItIs) {
  for (const std::int64_t zero : {2'147'483'000LL, -2'147'483'000LL}) {
    for (const std::int64_t away : {-2000LL, 0LL, 2000LL}) {
      SCOPED_TRACE(zero);
      SCOPED_TRACE(away);
      DriveFacts f = facts();
      f.zero_counts = static_cast<double>(zero);
      DriveHostSpec s = spec();
      s.units = DriveUnits(f, false);
      Pair pair(s);
      pair.position = static_cast<std::int32_t>(zero + away);
      pair.cycles(10, driven(DriveMode::kPosition));
      EXPECT_NEAR(pair.joint.q, static_cast<double>(away) * s.units.position_step(), 1e-9);
      JointSetpoint hold = driven(DriveMode::kPosition);
      hold.q = pair.joint.q;
      pair.cycle(hold);
      EXPECT_EQ(pair.order.position, pair.position) << "and its target is there, too";
    }
  }
}

TEST(DriveHost, AFaultIsToldByItsNameAndLeftByClearFaultAlone) {
  Pair pair;
  pair.cycles(10, driven(DriveMode::kTorque));
  pair.machine.raise_fault(0x8611);
  for (const DriveMode mode : kAllDriveMode) {
    SCOPED_TRACE(to_string(mode));
    pair.cycles(20, driven(mode));
    EXPECT_EQ(pair.drive_state(), PowerState::kFault);
    EXPECT_EQ(pair.joint.status, BoardStatus::kHwFault);
    EXPECT_EQ(pair.joint.fault, FaultCode::kFollowingError);
  }
  pair.inputs.fault_present = true;
  pair.cycles(20, asking(BoardRequest::kClearFault));
  EXPECT_EQ(pair.joint.status, BoardStatus::kHwFault) << "the cause is still there";
  pair.inputs.fault_present = false;
  pair.cycles(20, asking(BoardRequest::kClearFault));
  EXPECT_EQ(pair.joint.status, BoardStatus::kHwFault) << "it was asked for while it could not be";
  pair.cycle(off());
  pair.cycles(8, asking(BoardRequest::kClearFault));
  EXPECT_EQ(pair.drive_state(), PowerState::kSwitchedOn);
  EXPECT_EQ(pair.joint.status, BoardStatus::kReady);
}

TEST(DriveHost, AResetThatGotLostIsMadeGoodByTheNextFrame) {
  Pair pair;
  pair.cycles(10, off());
  pair.machine.raise_fault(0x8611);
  pair.cycles(10, off());
  DriveOrder lost;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(pair.host.order(asking(BoardRequest::kClearFault), lost));
    EXPECT_EQ(lost.controlword, 0x0080);
  }
  pair.cycles(3, asking(BoardRequest::kClearFault));
  EXPECT_EQ(pair.joint.status, BoardStatus::kReady);
}

TEST(DriveHost, AnErrorWithoutANameComesWithItsCode) {
  Pair pair;
  pair.cycles(5, off());
  pair.machine.raise_fault(0x5430);
  pair.cycles(5, off());
  EXPECT_EQ(pair.joint.fault, FaultCode::kDriveFault);
  EXPECT_EQ(pair.joint.fault_value, 0x5430);
}

TEST(DriveHost, AFaultHasTheValueAndTheLimitThatTheDriveTold) {
  for (const bool told_before : {false, true}) {
    SCOPED_TRACE(told_before);
    Pair pair;
    pair.cycles(5, off());
    if (told_before) pair.host.heard(Finding{90.5, 90.0});
    pair.machine.raise_fault(0x4310);
    pair.cycle(off());
    if (!told_before) pair.host.heard(Finding{90.5, 90.0});
    pair.host.state(pair.joint);
    EXPECT_EQ(pair.joint.fault, FaultCode::kOverTemperature);
    EXPECT_EQ(pair.joint.fault_value, 90.5);
    EXPECT_EQ(pair.joint.fault_limit, 90.0);
    EXPECT_EQ(pair.joint.temperature_C, 90.5) << "a reading of the same sensor";
    pair.cycles(8, asking(BoardRequest::kClearFault));
    ASSERT_EQ(pair.joint.status, BoardStatus::kReady);
    EXPECT_EQ(pair.joint.fault_value, 0.0);
    pair.machine.raise_fault(0x8611);
    pair.cycles(5, off());
    EXPECT_EQ(pair.joint.fault, FaultCode::kFollowingError);
    EXPECT_EQ(pair.joint.fault_value, 0.0) << "that one has none of its own";
    EXPECT_EQ(pair.joint.fault_limit, 0.0);
  }
}

TEST(DriveHost, ACalibrationTellsHowFarItIsAndTheZeroThatItFound) {
  DriveHostSpec s = spec();
  s.needs_calibration = true;
  Pair pair(s);
  pair.host.heard(SlowReport{.progress = 0.4});
  pair.cycles(10, off());
  EXPECT_EQ(pair.joint.progress, 0.0) << "none is under way";
  pair.cycles(10, asking(BoardRequest::kCalibrate));
  ASSERT_EQ(pair.joint.status, BoardStatus::kCalibrating);
  EXPECT_EQ(pair.joint.progress, 0.4);
  pair.inputs.homing = {pair.machine.outputs().homing_number, cia402::Homing::kDone};
  pair.host.heard(Finding{0.05, 0.01});
  pair.cycles(3, asking(BoardRequest::kCalibrate));
  EXPECT_EQ(pair.joint.progress, 1.0);
  EXPECT_EQ(pair.joint.zero, 0.05);
  pair.machine.raise_fault(0x4310);
  pair.host.heard(Finding{90.5, 90.0});
  pair.cycles(3, off());
  EXPECT_EQ(pair.joint.fault_value, 90.5);
  EXPECT_EQ(pair.joint.zero, 0.05) << "what a fault tells is no zero";
}

TEST(DriveHost, FullDutyIsTheWholeOfSixteenBits) {
  Pair pair;
  JointSetpoint duty = driven(DriveMode::kDuty);
  duty.duty = 0.125;
  pair.cycles(10, duty);
  EXPECT_EQ(pair.order.duty, 4096) << "32767 / 8 = 4095.9";
  duty.duty = -7.0;
  pair.cycle(duty);
  EXPECT_EQ(pair.order.duty, -32'767);
}

TEST(DriveHost, CalibrationRunsWhileItIsAskedForAndEndsDone) {
  DriveHostSpec s = spec();
  s.needs_calibration = true;
  Pair pair(s);
  pair.cycles(10, off());
  EXPECT_EQ(pair.joint.status, BoardStatus::kConfigured);
  pair.cycles(10, asking(BoardRequest::kCalibrate));
  EXPECT_EQ(pair.joint.status, BoardStatus::kCalibrating);
  ASSERT_NE(pair.machine.outputs().homing_number, 0U);
  pair.inputs.homing = {pair.machine.outputs().homing_number, cia402::Homing::kDone};
  pair.position = 0;  // the counter has its new zero: no jump
  pair.cycles(3, asking(BoardRequest::kCalibrate));
  EXPECT_EQ(pair.joint.status, BoardStatus::kCalibDone);
  EXPECT_EQ(pair.joint.progress, 1.0);
  EXPECT_EQ(pair.joint.missed, 0U);
  pair.cycles(30, off());
  EXPECT_EQ(pair.drive_state(), PowerState::kSwitchedOn);
  EXPECT_EQ(pair.joint.status, BoardStatus::kCalibDone) << "until it is driven";
  pair.cycles(5, driven(DriveMode::kPosition));
  pair.cycles(5, off());
  EXPECT_EQ(pair.joint.status, BoardStatus::kReady);
}

TEST(DriveHost, CalibrationThatIsNoLongerAskedForIsBrokenOff) {
  DriveHostSpec s = spec();
  s.needs_calibration = true;
  Pair pair(s);
  pair.cycles(20, asking(BoardRequest::kCalibrate));
  ASSERT_EQ(pair.joint.status, BoardStatus::kCalibrating);
  pair.cycles(4, off());
  EXPECT_EQ(pair.drive_state(), PowerState::kSwitchedOn);
  EXPECT_EQ(pair.joint.status, BoardStatus::kConfigured);
  EXPECT_EQ(pair.order.controlword & cia402::control::kModeSpecific4, 0);
}

TEST(DriveHost, ADriveThatKeepsItsOldModeIsAFaultAfterHalfASecond) {
  DriveHost host(spec());
  host.set_configured(true);
  DriveReport report;
  report.statusword = kStuckMode;
  report.mode = cia402::mode::kCyclicPosition;
  JointState joint;
  DriveOrder order;
  for (int i = 0; i < 490; ++i) {
    host.heard(report);
    ASSERT_TRUE(host.order(driven(DriveMode::kTorque), order));
    host.state(joint);
    ASSERT_EQ(joint.fault, FaultCode::kNone) << i;
  }
  for (int i = 0; i < 20; ++i) {
    host.heard(report);
    host.order(driven(DriveMode::kTorque), order);
  }
  host.state(joint);
  EXPECT_EQ(joint.fault, FaultCode::kEnableTimeout);
  EXPECT_EQ(joint.fault_limit, 0.5);
  EXPECT_EQ(cia402::command_of(order.controlword), cia402::Command::kSwitchOn) << "stage off";
}

// The way to an enabled drive
// -------------------------------------------------------------------------------------------

/// A drive that shows its state late, looks at its controlword now and then, or whose frames get
/// lost; and remembers whether it ever fell back.
class SlowDrive {
 public:
  struct Ways {
    int shown_after = 0;  ///< cycles, from a change of the state to the statusword that shows it
    int looks_every = 1;  ///< cycles
    int heard_every = 1;  ///< cycles: the reports between get lost
  };

  SlowDrive(const DriveHostSpec& s, const Ways& ways) : host(s), ways_(ways) {
    host.set_configured(true);
    inputs_.mode = cia402::mode::kCyclicPosition;
    machine.update(inputs_);
  }

  void cycle(const JointSetpoint& setpoint) {
    const PowerState before = machine.outputs().state;
    if (count_ % ways_.looks_every == 0) inputs_.controlword = said_;
    machine.update(inputs_);
    fell_back = fell_back || machine.outputs().state < before;
    shown_.push_back(machine.outputs().statusword);
    if (shown_.size() > static_cast<std::size_t>(ways_.shown_after) + 1) shown_.pop_front();
    if (count_ % ways_.heard_every == 0) {
      DriveReport report;
      report.statusword = shown_.front();
      report.mode = machine.outputs().mode;
      host.heard(report);
    } else {
      host.silent();
    }
    host.state(joint);
    if (host.order(setpoint, order)) said_ = order.controlword;
    ++count_;
  }

  void cycles(int count, const JointSetpoint& setpoint) {
    for (int i = 0; i < count; ++i) cycle(setpoint);
  }

  /// Cycles until the joint says that it is enabled; `most` if it doesn't.
  int cycles_to_enable(int most) {
    for (int i = 0; i < most; ++i) {
      if (joint.status == BoardStatus::kEnabled) return i;
      cycle(driven(DriveMode::kPosition));
    }
    return most;
  }

  PowerState state() const { return machine.outputs().state; }

  cia402::DriveMachine machine;
  DriveHost host;
  JointState joint;
  DriveOrder order;
  bool fell_back = false;

 private:
  Ways ways_;
  cia402::DriveInputs inputs_;
  std::deque<std::uint16_t> shown_;
  std::uint16_t said_ = 0;
  int count_ = 0;
};

TEST(DriveHost, OutOfSwitchOnDisabledTheControlwordChangesBeforeItCounts) {
  Pair pair;
  const std::uint16_t kWay[] = {0x0, 0x6, 0x6, 0x7, 0x7, 0xF};
  std::vector<std::uint16_t> words;
  for (int i = 0; i < 10 && (words.empty() || words.back() != 0xF); ++i) {
    pair.cycle(driven(DriveMode::kPosition));
    if (words.empty() || words.back() != pair.order.controlword) {
      words.push_back(pair.order.controlword);
    }
  }
  EXPECT_EQ(words, (std::vector<std::uint16_t>{kWay[0], kWay[1], kWay[3], kWay[5]}));
}

TEST(DriveHost, ADriveThatIsSetUpAnewWhileSixStoodIsSwitchedOn) {
  // The second order is 6: the drive starts anew with it, and nothing came of it yet.
  Pair pair;
  pair.cycles(2, off());
  ASSERT_EQ(pair.order.controlword, 0x0006);
  pair.machine.update(pair.inputs);
  pair.machine.reset();
  pair.host.set_configured(false);
  pair.host.set_configured(true);
  pair.cycles(8, off());
  EXPECT_EQ(pair.drive_state(), PowerState::kSwitchedOn);
}

TEST(DriveHost, ADriveThatStartsAnewUnseenWhileSixStoodIsSwitchedOnWithinItsTime) {
  Pair pair;
  pair.cycles(2, off());
  ASSERT_EQ(pair.order.controlword, 0x0006);
  pair.machine.update(pair.inputs);
  pair.machine.reset();  // and the host has seen nothing but SWITCH ON DISABLED
  pair.cycles(40, off());
  ASSERT_EQ(pair.drive_state(), PowerState::kSwitchOnDisabled) << "6 has not changed";
  pair.cycles(100, off());
  EXPECT_EQ(pair.drive_state(), PowerState::kSwitchedOn);
  pair.cycles(3, driven(DriveMode::kPosition));
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled);
}

TEST(DriveHost, ADriveThatDisabledItselfIsToldWithTheNextReportAndEnabledOnRequest) {
  // 6007h = 2 and 3: disable voltage, quick stop; the word that stands is F.
  for (const std::int16_t connection_lost : {2, 3}) {
    SCOPED_TRACE(connection_lost);
    Pair pair;
    cia402::DriveOptions options;
    options.connection_lost = connection_lost;
    options.quick_stop = 2;
    pair.machine.set_options(options);
    pair.cycles(10, driven(DriveMode::kPosition));
    ASSERT_EQ(pair.joint.status, BoardStatus::kEnabled);
    pair.machine.connection_lost(0x8130);
    pair.machine.update(pair.inputs);
    pair.cycle(off());
    EXPECT_EQ(pair.joint.status, BoardStatus::kReady) << "its motor is off";
    pair.cycles(8, driven(DriveMode::kPosition));
    EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled);
    EXPECT_EQ(pair.drive_state(), PowerState::kOperationEnabled);
  }
}

TEST(DriveHost, ADriveThatShowsItsStateLateIsEnabledInThreeStepsAndNeverSentBack) {
  for (const int late : {0, 4, 30, 60, 90}) {
    SCOPED_TRACE(late);
    SlowDrive drive(spec(), {.shown_after = late});
    // A change, and three steps, each an order that acts in the next cycle.
    EXPECT_LE(drive.cycles_to_enable(1000), 3 * (late + 2) + 4);
    drive.cycles(500, driven(DriveMode::kPosition));
    EXPECT_EQ(drive.joint.status, BoardStatus::kEnabled);
    EXPECT_FALSE(drive.fell_back);
  }
}

TEST(DriveHost, ADriveThatIsLaterStillTakesAStatusTimeOfItsOwn) {
  DriveHostSpec s = spec();
  s.status_time = 0.4;
  SlowDrive drive(s, {.shown_after = 300});
  EXPECT_LE(drive.cycles_to_enable(2000), 910);
  EXPECT_LE(0.91, drive.host.enable_time()) << "the fault comes after that";
  drive.cycles(1000, driven(DriveMode::kPosition));
  EXPECT_FALSE(drive.fell_back);
}

TEST(DriveHost, ReportsThatGetLostMakeNoOrderVain) {
  for (const int every : {2, 7, 15}) {
    SCOPED_TRACE(every);
    SlowDrive drive(spec(), {.shown_after = 20, .heard_every = every});
    EXPECT_LT(drive.cycles_to_enable(1000), 300);
    EXPECT_FALSE(drive.fell_back);
  }
}

TEST(DriveHost, AChangeThatFallsBetweenTwoLooksOfTheDriveIsRepeatedAndLastsLonger) {
  for (const int every : {3, 5, 8}) {
    SCOPED_TRACE(every);
    SlowDrive drive(spec(), {.looks_every = every});
    drive.cycles(2, off());
    ASSERT_EQ(drive.order.controlword, 0x0006);
    while (drive.state() == PowerState::kSwitchOnDisabled) drive.cycle(off());
    drive.machine.reset();
    drive.host.set_configured(false);
    drive.host.set_configured(true);
    drive.cycles(300, off());
    EXPECT_EQ(drive.state(), PowerState::kSwitchedOn);
  }
}

TEST(DriveHost, ASetpointThatIsNoNumberIsNotSent) {
  Pair pair;
  pair.cycles(10, driven(DriveMode::kTorque));
  JointSetpoint bad = driven(DriveMode::kTorque);
  bad.tau = std::nan("");
  DriveOrder order;
  EXPECT_FALSE(pair.host.order(bad, order));
  bad.tau = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(pair.host.order(bad, order));
}

TEST(DriveHost, ATorqueThatTheWireCantCarryIsCutAndCounted) {
  Pair pair;
  JointSetpoint strong = driven(DriveMode::kTorque);
  strong.tau = 1e5;
  pair.cycles(10, strong);
  EXPECT_EQ(pair.order.torque, 32767);
  EXPECT_GT(pair.host.saturated_orders(), 0U);
}

TEST(DriveHost, ABootUpForgetsTheCalibration) {
  DriveHostSpec s = spec();
  s.needs_calibration = true;
  Pair pair(s);
  pair.cycles(10, asking(BoardRequest::kCalibrate));
  pair.inputs.homing = {pair.machine.outputs().homing_number, cia402::Homing::kDone};
  pair.cycles(3, asking(BoardRequest::kCalibrate));
  ASSERT_EQ(pair.joint.status, BoardStatus::kCalibDone);
  pair.host.set_configured(false);
  pair.machine.reset();
  pair.host.set_configured(true);
  pair.cycles(10, off());
  EXPECT_EQ(pair.joint.status, BoardStatus::kConfigured);
}

}  // namespace
}  // namespace jointrig::hw
