#include "control/joint/joint_mode.h"

#include <gtest/gtest.h>

#include <set>

namespace jointrig {
namespace {

constexpr double kDt = 1e-3;

JointState board(BoardStatus status, FaultCode fault = FaultCode::kNone) {
  JointState state;
  state.status = status;
  state.fault = fault;
  return state;
}

/// Follows boards that stay as they are for a number of cycles.
JointModeMachine::Change follow(JointModeMachine& joint, const JointState& state, int cycles = 1) {
  JointModeMachine::Change last;
  for (int i = 0; i < cycles; ++i) last = joint.advance(state, 0, kDt);
  return last;
}

/// A machine that shows `mode`, brought there as a robot would.
JointModeMachine joint_in(JointMode mode) {
  JointModeMachine joint;
  switch (mode) {
    case JointMode::kNotConfigured:
      break;
    case JointMode::kConfigured:
      follow(joint, board(BoardStatus::kConfigured));
      break;
    case JointMode::kHwFault:
      follow(joint, board(BoardStatus::kHwFault, FaultCode::kOverCurrent));
      break;
    case JointMode::kCalibrating:
    case JointMode::kCalibDone:
      follow(joint, board(BoardStatus::kReady));
      joint.request(TransitionRequest::kCalibrate);
      follow(joint, board(BoardStatus::kCalibrating));
      if (mode == JointMode::kCalibDone) follow(joint, board(BoardStatus::kCalibDone));
      break;
    default:
      follow(joint, board(BoardStatus::kReady));
      joint.request(static_cast<TransitionRequest>(mode));
      follow(joint, board(BoardStatus::kEnabled));
      break;
  }
  return joint;
}

/// The iCub document's rules, written out by hand and apart from the table.
RejectReason rule(JointMode from, TransitionRequest asked) {
  const bool off = asked == TransitionRequest::kIdle || asked == TransitionRequest::kForceIdle;
  switch (from) {
    case JointMode::kNotConfigured:
      return asked == TransitionRequest::kForceIdle ? RejectReason::kNone
                                                    : RejectReason::kNotConfigured;
    case JointMode::kHwFault:
      return asked == TransitionRequest::kForceIdle ? RejectReason::kNone
                                                    : RejectReason::kBoardFaulted;
    case JointMode::kCalibrating:
      return off ? RejectReason::kNone : RejectReason::kCalibrating;
    case JointMode::kConfigured:
      return off || asked == TransitionRequest::kCalibrate ? RejectReason::kNone
                                                           : RejectReason::kNotCalibrated;
    case JointMode::kIdle:
    case JointMode::kCalibDone:
      return RejectReason::kNone;
    default:
      return asked == TransitionRequest::kCalibrate ? RejectReason::kNotIdle : RejectReason::kNone;
  }
}

TEST(JointMode, EveryStatusAndModeAnswersEveryRequestAsTheRulesSay) {
  int walked = 0;
  for (const JointMode from : kAllJointMode) {
    for (const TransitionRequest asked : kAllTransitionRequest) {
      SCOPED_TRACE(std::string(to_string(from)) + " asked for " + std::string(to_string(asked)));
      JointModeMachine joint = joint_in(from);
      ASSERT_EQ(joint.shown(), from);
      const RejectReason reason = joint.request(asked);
      EXPECT_EQ(reason, rule(from, asked));
      if (reason != RejectReason::kNone) {
        EXPECT_EQ(joint.shown(), from) << "a refused request changes nothing";
      }
      ++walked;
    }
  }
  EXPECT_EQ(walked, 13 * 10);
}

TEST(JointMode, OnlyForceIdleLeavesAHardwareFault) {
  for (const TransitionRequest asked : kAllTransitionRequest) {
    SCOPED_TRACE(to_string(asked));
    JointModeMachine joint = joint_in(JointMode::kHwFault);
    joint.request(asked);
    follow(joint, board(BoardStatus::kReady), 1000);  // somebody else resets the drive
    const bool is_the_way_out = asked == TransitionRequest::kForceIdle;
    EXPECT_EQ(joint.shown(), is_the_way_out ? JointMode::kIdle : JointMode::kHwFault);
    EXPECT_EQ(static_cast<bool>(joint.fault()), !is_the_way_out);
  }
}

TEST(JointMode, ForceIdleStaysInTheFaultWhileItsCauseIsThereAndSaysSoOnce) {
  JointModeMachine joint = joint_in(JointMode::kHwFault);
  ASSERT_EQ(joint.request(TransitionRequest::kForceIdle), RejectReason::kNone);
  EXPECT_EQ(joint.board_request(), BoardRequest::kClearFault);
  int said = 0;
  for (int i = 0; i < 2000; ++i) {
    said += follow(joint, board(BoardStatus::kHwFault, FaultCode::kOverCurrent)).fault_stays;
  }
  EXPECT_EQ(said, 1);
  EXPECT_EQ(joint.shown(), JointMode::kHwFault);
  EXPECT_EQ(joint.board_request(), BoardRequest::kNone);
  follow(joint, board(BoardStatus::kReady));
  EXPECT_EQ(joint.shown(), JointMode::kHwFault) << "the cause went away by itself: the latch stays";
}

TEST(JointMode, AFaultKeepsItsFirstReason) {
  JointModeMachine joint = joint_in(JointMode::kPosition);
  JointState state = board(BoardStatus::kHwFault, FaultCode::kOverTemperature);
  state.fault_value = 95.0;
  state.fault_limit = 90.0;
  const auto change = joint.advance(state, 41, kDt);
  EXPECT_TRUE(change.faulted);
  EXPECT_TRUE(change.mode);
  EXPECT_EQ(change.was, JointMode::kPosition);
  state.fault = FaultCode::kOverCurrent;
  EXPECT_FALSE(joint.advance(state, 42, kDt).faulted);
  EXPECT_EQ(joint.fault(), (Fault{FaultCode::kOverTemperature, 95.0, 90.0, 41}));
  EXPECT_FALSE(joint.wants_motor());
}

TEST(JointMode, ABoardThatSwitchesOffByItselfIsShownAsIdleAndStaysSo) {
  JointModeMachine joint = joint_in(JointMode::kVelocity);
  follow(joint, board(BoardStatus::kReady));
  EXPECT_EQ(joint.shown(), JointMode::kIdle);
  follow(joint, board(BoardStatus::kEnabled), 100);
  EXPECT_EQ(joint.shown(), JointMode::kIdle) << "nothing comes back by itself";
  EXPECT_FALSE(joint.driving());
}

TEST(JointMode, ABoardThatRestartsIsShownAsNotConfiguredAndComesBackIdle) {
  JointModeMachine joint = joint_in(JointMode::kTorque);
  follow(joint, board(BoardStatus::kNotConfigured));
  EXPECT_EQ(joint.shown(), JointMode::kNotConfigured);
  follow(joint, board(BoardStatus::kReady));
  EXPECT_EQ(joint.shown(), JointMode::kIdle);
}

TEST(JointMode, ForceIdleAsksABoardThatIsNotConfiguredToBeSetUpAnewAndNoFurther) {
  JointModeMachine joint = joint_in(JointMode::kNotConfigured);
  ASSERT_EQ(joint.request(TransitionRequest::kForceIdle), RejectReason::kNone);
  follow(joint, board(BoardStatus::kNotConfigured), 100);
  EXPECT_EQ(joint.shown(), JointMode::kNotConfigured) << "the board has the word";
  EXPECT_EQ(joint.board_request(), BoardRequest::kClearFault);
  follow(joint, board(BoardStatus::kReady));
  EXPECT_EQ(joint.shown(), JointMode::kIdle);
  EXPECT_EQ(joint.board_request(), BoardRequest::kNone);
  EXPECT_FALSE(joint.wants_motor());
  follow(joint, board(BoardStatus::kNotConfigured));
  ASSERT_EQ(joint.request(TransitionRequest::kForceIdle), RejectReason::kNone);
  follow(joint, board(BoardStatus::kNotConfigured), 502);
  EXPECT_EQ(joint.board_request(), BoardRequest::kNone) << "asked for half a second";
}

TEST(JointMode, ASilentBoardIsAFaultAfterTwentyCyclesAndNotBefore) {
  JointModeMachine joint = joint_in(JointMode::kPosition);
  JointState state = board(BoardStatus::kEnabled);
  for (std::uint32_t missed = 1; missed < JointModeMachine::kLostAfter; ++missed) {
    state.missed = missed;
    EXPECT_FALSE(joint.advance(state, missed, kDt).faulted);
  }
  state.missed = JointModeMachine::kLostAfter;
  EXPECT_TRUE(joint.advance(state, 20, kDt).faulted);
  EXPECT_EQ(joint.fault().code, FaultCode::kBoardLost);
  EXPECT_EQ(joint.fault().value, 20.0);
}

TEST(JointMode, ABoardThatDoesNotEnableIsAFaultAfterHalfASecond) {
  JointModeMachine joint = joint_in(JointMode::kIdle);
  joint.request(TransitionRequest::kPosition);
  EXPECT_EQ(joint.shown(), JointMode::kPosition);
  follow(joint, board(BoardStatus::kReady), 499);
  EXPECT_FALSE(joint.fault());
  EXPECT_FALSE(joint.driving());
  follow(joint, board(BoardStatus::kReady), 3);
  EXPECT_EQ(joint.fault().code, FaultCode::kEnableTimeout);
}

TEST(JointMode, AJointWhoseBoardDoesNotEnableSaysSoOnceAfterAFifthOfASecond) {
  JointModeMachine joint = joint_in(JointMode::kIdle);
  const auto told = [&](BoardStatus status, int cycles) {
    int count = 0;
    for (int i = 0; i < cycles; ++i) count += follow(joint, board(status)).waits ? 1 : 0;
    return count;
  };
  EXPECT_EQ(told(BoardStatus::kReady, 400), 0) << "nobody asked";
  joint.request(TransitionRequest::kPosition);
  EXPECT_EQ(told(BoardStatus::kReady, 198), 0);
  EXPECT_EQ(told(BoardStatus::kReady, 4), 1);
  EXPECT_EQ(told(BoardStatus::kReady, 200), 0) << "once";
  EXPECT_FALSE(joint.driving());
  EXPECT_EQ(told(BoardStatus::kEnabled, 300), 0);
  EXPECT_TRUE(joint.driving());
  joint.request(TransitionRequest::kIdle);
  follow(joint, board(BoardStatus::kReady), 10);
  joint.request(TransitionRequest::kPosition);
  EXPECT_EQ(told(BoardStatus::kReady, 300), 1) << "and again the next time";
}

TEST(JointMode, ABoardThatTellsItsStatusLateHasTheTimeThatItWasGiven) {
  JointModeMachine joint(true, 2.0);
  follow(joint, board(BoardStatus::kReady));
  joint.request(TransitionRequest::kPosition);
  EXPECT_FALSE(follow(joint, board(BoardStatus::kReady), 790).waits);
  int told = 0;
  for (int i = 790; i < 1999; ++i) told += follow(joint, board(BoardStatus::kReady)).waits ? 1 : 0;
  EXPECT_EQ(told, 1) << "at 0.8 s";
  EXPECT_FALSE(joint.fault());
  follow(joint, board(BoardStatus::kReady), 3);
  EXPECT_EQ(joint.fault().code, FaultCode::kEnableTimeout);
  EXPECT_EQ(joint.fault().limit, 2.0);
}

TEST(JointMode, ABoardOnASlowBusHasTwentyCyclesToEnable) {
  constexpr double kSlow = 0.06;
  JointModeMachine joint = joint_in(JointMode::kIdle);
  joint.request(TransitionRequest::kPosition);
  std::uint64_t cycle = 0;
  while (cycle < 30 && !joint.advance(board(BoardStatus::kReady), cycle, kSlow).faulted) ++cycle;
  EXPECT_NEAR(static_cast<double>(cycle), 20.0, 1.0);  // sums of 0.06 are rounded
  EXPECT_EQ(joint.fault().code, FaultCode::kEnableTimeout);
  EXPECT_NEAR(joint.fault().limit, 1.2, 1e-9);
}

TEST(JointMode, NaNFromABoardIsAFault) {
  for (const int field : {0, 1, 2}) {
    JointModeMachine joint = joint_in(JointMode::kPosition);
    JointState state = board(BoardStatus::kEnabled);
    (field == 0   ? state.q
     : field == 1 ? state.v
                  : state.tau) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(joint.advance(state, 7, kDt).faulted);
    EXPECT_EQ(joint.fault().code, FaultCode::kNotFinite);
  }
}

TEST(JointMode, IdleAbortsACalibrationByReleasingItsRequest) {
  JointModeMachine joint = joint_in(JointMode::kCalibrating);
  EXPECT_EQ(joint.board_request(), BoardRequest::kCalibrate);
  EXPECT_EQ(joint.request(TransitionRequest::kIdle), RejectReason::kNone);
  EXPECT_EQ(joint.board_request(), BoardRequest::kNone);
  follow(joint, board(BoardStatus::kConfigured));
  EXPECT_EQ(joint.shown(), JointMode::kConfigured);
}

TEST(JointMode, CalibDoneIsShownUntilTheNextMode) {
  JointModeMachine joint = joint_in(JointMode::kCalibDone);
  follow(joint, board(BoardStatus::kCalibDone), 50);
  EXPECT_EQ(joint.shown(), JointMode::kCalibDone);
  joint.request(TransitionRequest::kPosition);
  EXPECT_EQ(joint.shown(), JointMode::kPosition);
  follow(joint, board(BoardStatus::kEnabled));
  joint.request(TransitionRequest::kIdle);
  follow(joint, board(BoardStatus::kCalibDone));
  EXPECT_EQ(joint.shown(), JointMode::kIdle);
}

TEST(Modes, TheOldImpedanceModesAreNamesForPositionAndVelocityCompliant) {
  EXPECT_EQ(requested_mode(ModeRequest::kImpedancePosition), ControlMode::kPosition);
  EXPECT_EQ(requested_mode(ModeRequest::kImpedanceVelocity), ControlMode::kVelocity);
  EXPECT_TRUE(asks_for_compliance(ModeRequest::kImpedancePosition));
  EXPECT_TRUE(asks_for_compliance(ModeRequest::kImpedanceVelocity));
  EXPECT_FALSE(asks_for_compliance(ModeRequest::kPosition));
}

TEST(Modes, EveryWordReadsBackAsWhatItNames) {
  std::set<std::string_view> words;
  for (const JointMode mode : kAllJointMode) {
    JointMode back = JointMode::kIdle;
    ASSERT_TRUE(parse(to_string(mode), back));
    EXPECT_EQ(back, mode);
    words.insert(to_string(mode));
  }
  EXPECT_EQ(words.size(), 13U);
  for (const ControlMode mode : kAllControlMode) {
    EXPECT_EQ(to_string(as_joint_mode(mode)), to_string(mode));
    EXPECT_EQ(to_string(static_cast<TransitionRequest>(mode)), to_string(mode));
  }
  JointMode unused = JointMode::kIdle;
  EXPECT_FALSE(parse("Position", unused));
}

}  // namespace
}  // namespace jointrig
