#include "hw/cia402/drive_machine.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/hw/cia402/power_states.h"

namespace jointrig::cia402 {
namespace {

constexpr std::uint16_t kShutdown = 0x06;
constexpr std::uint16_t kSwitchOn = 0x07;
constexpr std::uint16_t kEnable = 0x0F;
constexpr std::uint16_t kQuick = 0x02;
constexpr std::uint16_t kNoVoltage = 0x00;
constexpr std::uint16_t kReset = 0x80;

struct Drive {
  DriveMachine machine;
  DriveInputs inputs;

  explicit Drive(const DriveOptions& options = {}) : machine(options) { machine.update(inputs); }

  PowerState after(std::uint16_t controlword) {
    inputs.controlword = controlword;
    return machine.update(inputs).state;
  }
  /// One more look at the same inputs.
  PowerState again() { return machine.update(inputs).state; }
  const DriveOutputs& shows() const { return machine.outputs(); }

  /// By the way a master would go.
  void bring_to(PowerState state) {
    if (state == kNotReady) return machine.reset();
    if (state == kDisabled) return;
    if (state == kFault || state == kReaction) {
      bring_to(state == kFault ? kDisabled : kEnabled);
      inputs.standstill = state == kFault;
      machine.raise_fault(0x7320);
      again();
      return;
    }
    after(kShutdown);
    if (state == kReady) return;
    after(kSwitchOn);
    if (state == kOn) return;
    after(kEnable);
    if (state == kStopping) after(kQuick);
  }
};

TEST(DriveMachine, GoesByTheTableFromEveryStateOnEveryCommand) {
  // Columns as in kAllCommands: 06, 07, 0F, 00, 02, 80. Standing still, so that ramps end at once.
  const std::map<PowerState, std::array<PowerState, 6>> table{
      {kDisabled, {kReady, kDisabled, kDisabled, kDisabled, kDisabled, kDisabled}},
      {kReady, {kReady, kOn, kOn, kDisabled, kDisabled, kReady}},
      {kOn, {kReady, kOn, kEnabled, kDisabled, kDisabled, kOn}},
      {kEnabled, {kReady, kOn, kEnabled, kDisabled, kStopping, kEnabled}},
      {kStopping, {kStopping, kStopping, kEnabled, kDisabled, kStopping, kStopping}},
      {kFault, {kFault, kFault, kFault, kFault, kFault, kDisabled}}};
  const std::uint16_t words[] = {kShutdown, kSwitchOn, kEnable, kNoVoltage, kQuick, kReset};
  for (const auto& [state, row] : table) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      SCOPED_TRACE(std::string(to_string(state)) + ", " + std::to_string(words[i]));
      Drive drive;
      drive.bring_to(state);
      ASSERT_EQ(drive.shows().state, state);
      EXPECT_EQ(drive.after(words[i]), row[i]);
      EXPECT_EQ(state_of(drive.shows().statusword), row[i]);
    }
  }
}

TEST(DriveMachine, NoCommandLeadsOutOfAFaultReaction) {
  for (const std::uint16_t word : {kShutdown, kSwitchOn, kEnable, kNoVoltage, kQuick, kReset}) {
    Drive drive;
    drive.bring_to(kReaction);
    ASSERT_EQ(drive.shows().state, kReaction);
    EXPECT_EQ(drive.after(word), kReaction);
    drive.inputs.standstill = true;
    EXPECT_EQ(drive.again(), kFault);
  }
}

TEST(DriveMachine, TheStageIsOnOnlyWhereItMayBe) {
  const std::map<PowerState, bool> powered{{kDisabled, false}, {kReady, false},   {kOn, false},
                                           {kEnabled, true},   {kStopping, true}, {kReaction, true},
                                           {kFault, false}};
  for (const auto& [state, on] : powered) {
    Drive drive;
    drive.bring_to(state);
    EXPECT_EQ(drive.shows().power_stage(), on) << to_string(state);
  }
}

TEST(DriveMachine, EnablesThroughOnStepOfALookAtATimeIfTheWordStays) {
  Drive drive;
  drive.after(kShutdown);
  EXPECT_EQ(drive.after(kEnable), kOn);
  EXPECT_EQ(drive.again(), kEnabled);
}

TEST(DriveMachine, DoesNotSwitchOnWithoutVoltage) {
  Drive drive;
  drive.after(kShutdown);
  drive.inputs.voltage_present = false;
  EXPECT_EQ(drive.after(kSwitchOn), kReady);
  EXPECT_EQ(drive.shows().statusword & status::kVoltageEnabled, 0);
  drive.inputs.voltage_present = true;
  EXPECT_EQ(drive.again(), kOn);
}

TEST(DriveMachine, WithABrakeTheStageIsOnFirstAndItIsEnabledOnceTheBrakeIsOpen) {
  Drive drive;
  drive.inputs.brake_open = false;
  drive.bring_to(kOn);
  EXPECT_FALSE(drive.shows().power_stage());
  for (int look = 0; look < 5; ++look) {
    EXPECT_EQ(drive.after(kEnable), kOn);
    EXPECT_EQ(drive.shows().motion, Motion::kFollow) << "torque before the brake opens";
  }
  drive.inputs.brake_open = true;
  EXPECT_EQ(drive.again(), kEnabled);
}

TEST(DriveMachine, WhileTheBrakeOpensAnyOtherWordAndAnyFaultTakesTheTorqueAway) {
  for (const std::uint16_t word : {kSwitchOn, kShutdown, kNoVoltage, kQuick}) {
    Drive drive;
    drive.inputs.brake_open = false;
    drive.bring_to(kOn);
    drive.after(kEnable);
    ASSERT_TRUE(drive.shows().power_stage());
    drive.after(word);
    EXPECT_FALSE(drive.shows().power_stage()) << word;
  }
  Drive drive;
  drive.inputs.brake_open = false;
  drive.bring_to(kOn);
  drive.after(kEnable);
  drive.machine.raise_fault(0x2310);
  drive.again();
  EXPECT_FALSE(drive.shows().power_stage());
}

TEST(DriveMachine, WithARampItIsEnabledUntilItStands) {
  struct Case {
    std::uint16_t word;
    PowerState to;
  };
  for (const Case& c : {Case{kSwitchOn, kOn}, Case{kShutdown, kReady}}) {
    DriveOptions options;
    options.disable_operation = 1;
    options.shutdown = 1;
    Drive drive(options);
    drive.bring_to(kEnabled);
    drive.inputs.standstill = false;
    EXPECT_EQ(drive.after(c.word), kEnabled);
    EXPECT_EQ(drive.shows().motion, Motion::kStop);
    EXPECT_EQ(drive.shows().stop, Stop::kRamp);
    drive.inputs.standstill = true;
    EXPECT_EQ(drive.again(), c.to);
  }
}

TEST(DriveMachine, AMasterMayThinkBetterOfARamp) {
  Drive drive;
  drive.bring_to(kEnabled);
  drive.inputs.standstill = false;
  drive.after(kSwitchOn);
  EXPECT_EQ(drive.after(kEnable), kEnabled);
  EXPECT_EQ(drive.shows().motion, Motion::kFollow);
  drive.inputs.standstill = true;
  EXPECT_EQ(drive.again(), kEnabled);
}

TEST(DriveMachine, WithoutARampItIsOffAtOnce) {
  DriveOptions options;
  options.disable_operation = 0;
  Drive drive(options);
  drive.bring_to(kEnabled);
  drive.inputs.standstill = false;
  EXPECT_EQ(drive.after(kSwitchOn), kOn);
  EXPECT_FALSE(drive.shows().power_stage());
}

TEST(DriveMachine, AQuickStopEndsAsItsOptionCodeSays) {
  for (std::int16_t code = 0; code <= 8; ++code) {
    SCOPED_TRACE(code);
    DriveOptions options;
    options.quick_stop = code;
    Drive drive(options);
    drive.bring_to(kEnabled);
    drive.inputs.standstill = false;
    EXPECT_EQ(drive.after(kQuick), code == 0 ? kDisabled : kStopping);
    if (code == 0) {
      EXPECT_FALSE(drive.shows().power_stage());
      continue;
    }
    EXPECT_EQ(drive.shows().motion, Motion::kStop);
    EXPECT_EQ(drive.shows().stop, static_cast<Stop>((code - 1) % 4 + 1));
    drive.inputs.standstill = true;
    EXPECT_EQ(drive.again(), code <= 4 ? kDisabled : kStopping);
    EXPECT_EQ(drive.after(kEnable), code <= 4 ? kDisabled : kEnabled) << "16 is for 5..8 only";
  }
}

TEST(DriveMachine, NothingIsSwitchedOnAgainByAWordThatMerelyStayed) {
  DriveOptions quick_stop_on_loss;
  quick_stop_on_loss.connection_lost = 3;
  Drive drive(quick_stop_on_loss);
  drive.bring_to(kEnabled);
  drive.machine.connection_lost(0x8130);
  EXPECT_EQ(drive.again(), kStopping);
  EXPECT_EQ(drive.again(), kStopping) << "enable operation still stands there";
  drive.after(kQuick);
  EXPECT_EQ(drive.after(kEnable), kEnabled) << "said anew, it counts";
}

TEST(DriveMachine, TheConnectionsLossIsWhatItsOptionCodeSays) {
  const std::map<std::int16_t, PowerState> expected{
      {0, kEnabled}, {1, kFault}, {2, kDisabled}, {3, kStopping}};
  for (const auto& [code, state] : expected) {
    DriveOptions options;
    options.connection_lost = code;
    Drive drive(options);
    drive.bring_to(kEnabled);
    drive.machine.connection_lost(0x8130);
    EXPECT_EQ(drive.again(), state) << code;
    EXPECT_EQ(drive.shows().error_code, code == 1 ? 0x8130 : 0);
  }
}

TEST(DriveMachine, TakenOutOfTheNetworkItStopsAndIsDisabled) {
  for (const PowerState start : {kReady, kOn, kEnabled, kStopping}) {
    SCOPED_TRACE(to_string(start));
    Drive drive;  // 605Ah = 6: it would stay in QUICK STOP ACTIVE
    drive.bring_to(start);
    drive.inputs.standstill = false;
    drive.machine.network_left();
    const bool powered = start == kEnabled || start == kStopping;
    EXPECT_EQ(drive.again(), powered ? kStopping : kDisabled);
    EXPECT_EQ(drive.after(kEnable), powered ? kStopping : kDisabled) << "and cannot be called back";
    drive.inputs.standstill = true;
    EXPECT_EQ(drive.again(), kDisabled);
    EXPECT_EQ(drive.again(), kDisabled);
  }
}

TEST(DriveMachine, HavingBeenTakenOutOnceItStaysInLaterQuickStops) {
  Drive drive;
  drive.bring_to(kEnabled);
  drive.machine.network_left();
  ASSERT_EQ(drive.again(), kDisabled);
  drive.after(kNoVoltage);
  drive.bring_to(kStopping);
  EXPECT_EQ(drive.again(), kStopping);
}

TEST(DriveMachine, AQuickStopOutOfARampForgetsTheRamp) {
  Drive drive;
  drive.bring_to(kEnabled);
  drive.inputs.standstill = false;
  drive.after(kSwitchOn);
  EXPECT_EQ(drive.after(kQuick), kStopping);
  EXPECT_EQ(drive.after(kEnable), kEnabled);
  EXPECT_EQ(drive.shows().motion, Motion::kFollow);
}

TEST(DriveMachine, AFaultLeadsFromEveryStateToFault) {
  for (const PowerState start : {kNotReady, kDisabled, kReady, kOn, kEnabled, kStopping}) {
    SCOPED_TRACE(to_string(start));
    Drive drive;
    drive.bring_to(start);
    drive.inputs.standstill = true;
    drive.machine.raise_fault(0x4310);
    EXPECT_EQ(drive.again(), kFault);
    EXPECT_EQ(drive.shows().error_code, 0x4310);
    EXPECT_FALSE(drive.shows().power_stage());
  }
}

TEST(DriveMachine, ASecondFaultIsToldButChangesNothing) {
  Drive drive;
  drive.bring_to(kFault);
  drive.machine.raise_fault(0x3220);
  EXPECT_EQ(drive.again(), kFault);
  EXPECT_EQ(drive.shows().error_code, 0x3220);
}

TEST(DriveMachine, ASecondFaultDoesNotCutTheReactionShort) {
  Drive drive;
  drive.bring_to(kReaction);  // moving
  drive.machine.raise_fault(0x3220);
  EXPECT_EQ(drive.again(), kReaction);
  EXPECT_EQ(drive.shows().motion, Motion::kStop);
}

TEST(DriveMachine, AFaultInMotionIsAnsweredAsItsOptionCodeSays) {
  for (std::int16_t code = 0; code <= 4; ++code) {
    SCOPED_TRACE(code);
    DriveOptions options;
    options.fault_reaction = code;
    Drive drive(options);
    drive.bring_to(kEnabled);
    drive.inputs.standstill = false;
    drive.machine.raise_fault(0x8611);
    if (code == 0) {
      EXPECT_EQ(drive.again(), kFault);
      continue;
    }
    EXPECT_EQ(drive.again(), kReaction);
    EXPECT_EQ(drive.shows().motion, Motion::kStop);
    EXPECT_EQ(drive.shows().stop, static_cast<Stop>(code));
    drive.inputs.standstill = true;
    EXPECT_EQ(drive.again(), kFault);
  }
}

TEST(DriveMachine, OnlyARisingEdgeResetsAFault) {
  Drive drive;
  drive.bring_to(kEnabled);
  drive.after(kEnable | kReset);  // bit 7 rises before there is a fault
  drive.machine.raise_fault(0x7320);
  drive.again();
  ASSERT_EQ(drive.again(), kFault);
  EXPECT_EQ(drive.again(), kFault) << "bit 7 stays high: no edge";
  EXPECT_EQ(drive.after(kEnable), kFault);
  EXPECT_EQ(drive.after(kEnable | kReset), kDisabled);
  EXPECT_EQ(drive.shows().error_code, 0);
  EXPECT_EQ(drive.again(), kDisabled) << "with bit 7 held nothing else is read";
  EXPECT_EQ(drive.after(kEnable), kDisabled) << "and it is not enabled by what stands there";
}

TEST(DriveMachine, AFaultWhoseCauseIsStillThereIsNotReset) {
  Drive drive;
  drive.bring_to(kFault);
  drive.inputs.fault_present = true;
  EXPECT_EQ(drive.after(kReset), kFault);
  EXPECT_EQ(drive.machine.refused_resets(), 1U);
  drive.inputs.fault_present = false;
  EXPECT_EQ(drive.again(), kFault) << "the edge is over";
  drive.after(kNoVoltage);
  EXPECT_EQ(drive.after(kReset), kDisabled);
}

TEST(DriveMachine, AResetSwitchesOffAndForgets) {
  for (const PowerState start : {kReady, kOn, kEnabled, kStopping, kReaction, kFault}) {
    Drive drive;
    drive.bring_to(start);
    drive.inputs.controlword = kEnable;
    drive.machine.reset();
    EXPECT_FALSE(drive.shows().power_stage()) << "at once, not at the next look";
    EXPECT_EQ(drive.again(), kDisabled) << to_string(start);
    EXPECT_EQ(drive.again(), kDisabled) << to_string(start);
    EXPECT_EQ(drive.shows().error_code, 0);
  }
}

TEST(DriveMachine, AModeIsInForceWhenItIsShown) {
  Drive drive;
  drive.inputs.mode = mode::kCyclicPosition;
  drive.again();
  EXPECT_EQ(drive.shows().mode, 8);
  drive.inputs.mode = 7;  // not among 3ADh
  drive.again();
  EXPECT_EQ(drive.shows().mode, 8);
  drive.inputs.mode = mode::kNone;
  drive.again();
  EXPECT_EQ(drive.shows().mode, 8);
  drive.inputs.mode = mode::kVendorPwm;
  drive.again();
  EXPECT_EQ(drive.shows().mode, -1);
}

TEST(DriveMachine, InCyclicModesBit12SaysThatItFollows) {
  for (const std::int8_t code :
       {mode::kCyclicPosition, mode::kCyclicVelocity, mode::kCyclicTorque}) {
    Drive drive;
    drive.inputs.mode = code;
    drive.bring_to(kOn);
    EXPECT_EQ(drive.shows().statusword & status::kModeSpecific12, 0);
    drive.after(kEnable);
    EXPECT_EQ(drive.shows().statusword, 0x1237);
    drive.after(kEnable | control::kHalt);
    EXPECT_EQ(drive.shows().motion, Motion::kFollow) << "no halt in cyclic modes";
    drive.after(kQuick);
    EXPECT_EQ(drive.shows().statusword & status::kModeSpecific12, 0);
  }
}

TEST(DriveMachine, HaltStopsTheProfileModes) {
  for (const std::int8_t code :
       {mode::kProfilePosition, mode::kProfileVelocity, mode::kProfileTorque}) {
    Drive drive;
    drive.inputs.mode = code;
    drive.bring_to(kEnabled);
    EXPECT_EQ(drive.shows().motion, Motion::kFollow);
    drive.after(kEnable | control::kHalt);
    EXPECT_EQ(drive.shows().state, kEnabled);
    EXPECT_EQ(drive.shows().motion, Motion::kStop);
    EXPECT_EQ(drive.shows().stop, Stop::kRamp);
  }
}

constexpr std::uint16_t kStart = kEnable | control::kModeSpecific4;

Drive a_drive_in_homing(const DriveOptions& options = {}) {
  Drive drive(options);
  drive.inputs.mode = mode::kHoming;
  drive.bring_to(kEnabled);
  return drive;
}

TEST(DriveMachine, HomingIsShownFromItsStartToItsEnd) {
  Drive drive = a_drive_in_homing();
  EXPECT_EQ(homing_of(drive.shows().statusword), Homing::kNotStarted);
  EXPECT_EQ(drive.shows().homing_number, 0U);
  drive.after(kStart);
  EXPECT_EQ(homing_of(drive.shows().statusword), Homing::kRunning);
  EXPECT_EQ(drive.shows().homing_number, 1U);
  for (const Homing state : {Homing::kRunning, Homing::kAttainedMoving, Homing::kDone}) {
    drive.inputs.homing = {1, state};
    drive.again();
    EXPECT_EQ(homing_of(drive.shows().statusword), state);
  }
  drive.after(kEnable);
  EXPECT_EQ(homing_of(drive.shows().statusword), Homing::kDone);
  EXPECT_EQ(drive.shows().homing_number, 0U);
}

TEST(DriveMachine, AnOldHomingsEndIsNotTheNewOnes) {
  Drive drive = a_drive_in_homing();
  drive.after(kStart);
  drive.inputs.homing = {1, Homing::kDone};
  drive.again();
  drive.after(kEnable);
  drive.after(kStart);
  EXPECT_EQ(drive.shows().homing_number, 2U);
  drive.again();
  EXPECT_EQ(homing_of(drive.shows().statusword), Homing::kRunning);
}

TEST(DriveMachine, HomingIsInterruptedByWhateverTakesItsGround) {
  for (int cause = 0; cause < 4; ++cause) {
    SCOPED_TRACE(cause);
    Drive drive = a_drive_in_homing();
    drive.after(kStart);
    if (cause == 0) drive.after(kEnable);
    if (cause == 1) drive.after(kStart | control::kHalt);
    if (cause == 2) drive.after(kQuick);
    if (cause == 3) {
      drive.machine.raise_fault(0x7320);
      drive.again();
    }
    EXPECT_EQ(drive.shows().homing_number, 0U);
    EXPECT_EQ(homing_of(drive.shows().statusword), Homing::kNotStarted);
  }
}

TEST(DriveMachine, AFailedHomingIsShownUntilTheNext) {
  Drive drive = a_drive_in_homing();
  drive.after(kStart);
  drive.inputs.homing = {1, Homing::kErrorStanding};
  drive.again();
  drive.after(kEnable);
  EXPECT_EQ(homing_of(drive.shows().statusword), Homing::kErrorStanding);
  drive.after(kStart);
  EXPECT_EQ(homing_of(drive.shows().statusword), Homing::kRunning);
}

TEST(DriveMachine, SomeDrivesDoNotShowThatHomingHasNotStarted) {
  DriveOptions options;
  options.shows_homing_not_started = false;
  Drive drive = a_drive_in_homing(options);
  EXPECT_EQ(homing_of(drive.shows().statusword), Homing::kRunning);
  EXPECT_EQ(drive.shows().homing_number, 0U);
}

TEST(DriveMachine, ProfilePositionTakesASetPointAtEachEdge) {
  Drive drive;
  drive.inputs.mode = mode::kProfilePosition;
  drive.bring_to(kEnabled);
  EXPECT_EQ(drive.shows().set_points, 0U);
  drive.after(kStart);
  drive.again();
  EXPECT_EQ(drive.shows().set_points, 1U);
  EXPECT_NE(drive.shows().statusword & status::kModeSpecific12, 0);
  drive.after(kEnable);
  EXPECT_EQ(drive.shows().statusword & status::kModeSpecific12, 0);
  drive.after(kStart);
  EXPECT_EQ(drive.shows().set_points, 2U);
}

TEST(DriveMachine, ShowsWhatItIsTold) {
  Drive drive;
  drive.inputs.mode = mode::kCyclicPosition;
  drive.inputs.warning = true;
  drive.inputs.target_reached = true;
  drive.inputs.internal_limit = true;
  drive.inputs.following_error = true;
  drive.again();
  // 0040 disabled, 0010 voltage, 0080 warning, 0200 remote, 0400 reached, 0800 limit, 2000 error
  EXPECT_EQ(drive.shows().statusword, 0x2ED0);
}

}  // namespace
}  // namespace jointrig::cia402
