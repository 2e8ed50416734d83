#include "hw/driver/moteus_bus.h"

#include <gtest/gtest.h>

#include <deque>
#include <functional>

#include "hw/moteus/servo_machine.h"

namespace jointrig::hw {
namespace {

constexpr std::int64_t kCycle = 1'000'000;  // [ns]

MoteusJoint joint(const std::string& name, std::uint8_t id) {
  MoteusJoint j;
  j.name = name;
  j.id = id;
  j.host.units = MoteusUnits(MoteusFacts{}, false);
  j.host.v_max = 1e6;
  return j;
}

/// Servos 3 and 5 and their host on a wire that carries every frame within the cycle.
class MoteusBusTest : public testing::Test {
 protected:
  MoteusBusTest() : MoteusBusTest({joint("shoulder", 3), joint("elbow", 5)}) {}
  explicit MoteusBusTest(std::vector<MoteusJoint> joints, bool patient = false)
      : bus(std::move(joints), patient) {
    add_servo(3);
    add_servo(5);
  }

  moteus::ServoMachine& add_servo(std::uint8_t id, std::uint32_t serial = 1) {
    moteus::ServoConfig config;
    config.id = id;
    config.identity.serial = {serial, 0, 0};
    config.max_torque = 10.0;
    servos.emplace_back(config);
    servos.back().sense({.position = 0.5, .voltage = 24.0, .temperature = 30.0});
    return servos.back();
  }

  void settle() {
    for (auto frame = bus.out().pop(); frame; frame = bus.out().pop()) {
      for (auto& servo : servos) {
        const auto answer = servo.receive(*frame);
        if (answer && !lost(*answer)) bus.receive(*answer, now);
      }
    }
  }

  void start() {
    bus.start(now);
    for (int i = 0; i < 100; ++i) {
      now += kCycle;
      bus.poll(now);
      settle();
    }
    if (!bus.all_running()) return;
    cycles(1);
    bus.begin();
  }

  void cycles(int count, const JointSetpoint& setpoint = {}) {
    for (int i = 0; i < count; ++i) {
      now += takes;
      bus.open_cycle(now);
      settle();
      complete = bus.is_complete();
      bus.close_cycle();
      for (std::size_t j = 0; j < bus.size(); ++j) {
        bus.read(j, 0.0, states[j]);
        bus.write(j, setpoint);
      }
      for (auto& servo : servos) servo.update(1e-3);
    }
  }

  static JointSetpoint pushing(double tau) {
    JointSetpoint s;
    s.drive = DriveMode::kTorque;
    s.tau = tau;
    return s;
  }

  std::string problem() const {
    std::string all;
    for (const std::string& text : bus.problems(bus.all_running())) all += text + "\n";
    return all;
  }

  std::int64_t now = 0;
  std::int64_t takes = kCycle;  ///< a cycle, by the clock
  std::deque<moteus::ServoMachine> servos;
  std::function<bool(const can::Frame&)> lost = [](const can::Frame&) { return false; };
  bool complete = false;
  MoteusBus bus;
  std::array<JointState, 2> states;
};

class LockstepServos : public MoteusBusTest, public testing::WithParamInterface<std::int64_t> {
 protected:
  LockstepServos() : MoteusBusTest({joint("shoulder", 3), joint("elbow", 5)}, true) {}
};
INSTANTIATE_TEST_SUITE_P(ByTheClock, LockstepServos,
                         testing::Values(kCycle / 100, kCycle, 50 * kCycle));

TEST_P(LockstepServos, AServoThatWasSilentIsBackAfterAsManyCyclesHoweverLongTheyTake) {
  start();
  ASSERT_TRUE(bus.all_running()) << problem();
  takes = GetParam();
  lost = [](const can::Frame& frame) { return moteus::address_of(frame)->source == 5; };
  cycles(40);
  lost = [](const can::Frame&) { return false; };
  int until_back = 0;
  do {
    cycles(1);
    ++until_back;
  } while (bus.phase(1) != MoteusBus::Phase::kRunning && until_back < 100);
  // Heard in the first, asked twice 5 ms apart; the second answer makes it run.
  EXPECT_EQ(until_back, 7);
}

TEST_F(MoteusBusTest, ServosAreFoundAndReadyWithTheirStagesOff) {
  start();
  cycles(2);
  EXPECT_TRUE(bus.all_running()) << problem();
  EXPECT_TRUE(bus.is_settled());
  EXPECT_TRUE(complete);
  EXPECT_TRUE(bus.problems(bus.all_running()).empty()) << problem();
  for (const JointState& state : states) {
    EXPECT_EQ(state.status, BoardStatus::kReady);
    EXPECT_EQ(state.missed, 0U);
  }
  EXPECT_EQ(servos[0].mode(), moteus::Mode::kStopped);
}

TEST_F(MoteusBusTest, ACommandActsWithTheNextBurst) {
  start();
  cycles(1, pushing(2.0));  // cycle k computes it
  EXPECT_EQ(servos[1].mode(), moteus::Mode::kStopped);
  cycles(1, pushing(2.0));
  EXPECT_EQ(servos[1].mode(), moteus::Mode::kPosition);
  EXPECT_NEAR(servos[1].update(0).torque, 2.0, 1e-6);
  cycles(1, pushing(2.0));
  EXPECT_EQ(states[1].status, BoardStatus::kEnabled);
}

TEST_F(MoteusBusTest, BeforeTheStackBeginsNothingIsCommanded) {
  bus.start(now);
  for (int i = 0; i < 100; ++i, now += kCycle) {
    bus.poll(now);
    settle();
  }
  ASSERT_TRUE(bus.all_running());
  servos[0].raise_fault(moteus::FaultCode::kEncoder);
  cycles(10, pushing(2.0));
  EXPECT_EQ(servos[0].mode(), moteus::Mode::kFault) << "not even a stop, which would clear it";
  EXPECT_EQ(servos[1].mode(), moteus::Mode::kStopped);
  EXPECT_EQ(states[0].status, BoardStatus::kHwFault);
}

TEST_F(MoteusBusTest, AServoThatIsNotThereIsNamed) {
  servos.pop_back();
  start();
  EXPECT_FALSE(bus.all_running());
  EXPECT_TRUE(problem().starts_with("elbow (servo 5) does not answer")) << problem();
}

TEST_F(MoteusBusTest, AServoThatBelongsToNoJointIsNamed) {
  add_servo(1);
  start();
  EXPECT_TRUE(bus.all_running());
  EXPECT_EQ(problem(), "servo 1 answers and belongs to no joint\n");
}

TEST_F(MoteusBusTest, TwoServosWithOneNumberAreRefused) {
  add_servo(5, 77);
  start();
  EXPECT_FALSE(bus.all_running());
  EXPECT_NE(problem().find("elbow (servo 5): two servos answer to this number"), std::string::npos)
      << problem();
}

TEST_F(MoteusBusTest, NumbersThatCantBeAreRefusedAtOnce) {
  EXPECT_THROW(MoteusBus({joint("a", 0)}), std::invalid_argument);
  EXPECT_THROW(MoteusBus({joint("a", 112)}), std::invalid_argument) << "one of the host's";
  EXPECT_THROW(MoteusBus({joint("a", 7), joint("b", 7)}), std::invalid_argument);
}

TEST_F(MoteusBusTest, NineteenLostAnswersAreCarriedAndTheServoIsNotToldTwice) {
  start();
  cycles(5, pushing(1.0));
  lost = [](const can::Frame& frame) { return frame.id >> 8U == 5; };
  cycles(19, pushing(1.0));
  EXPECT_FALSE(complete);
  EXPECT_EQ(states[1].missed, 19U);
  EXPECT_EQ(states[0].missed, 0U);
  EXPECT_EQ(servos[1].mode(), moteus::Mode::kPosition) << "it hears";
  lost = [](const can::Frame&) { return false; };
  cycles(1, pushing(1.0));
  EXPECT_EQ(states[1].missed, 0U);
  EXPECT_EQ(states[1].status, BoardStatus::kEnabled);
}

TEST_F(MoteusBusTest, AServoSilentForLongTimesOutIsNotWaitedForAndAskedAnewWhoItIs) {
  start();
  cycles(5, pushing(1.0));
  lost = [](const can::Frame& frame) { return frame.id >> 8U == 5; };
  cycles(60, pushing(1.0));
  EXPECT_TRUE(complete) << "of those that are there";
  EXPECT_EQ(states[1].missed, 60U);
  EXPECT_EQ(servos[1].mode(), moteus::Mode::kTimeout) << "it has been told nothing for 40 ms";
  lost = [](const can::Frame&) { return false; };
  cycles(1, pushing(1.0));
  EXPECT_EQ(states[1].status, BoardStatus::kNotConfigured);
  cycles(60, pushing(1.0));
  EXPECT_EQ(bus.phase(1), MoteusBus::Phase::kRunning);
  EXPECT_EQ(states[1].status, BoardStatus::kHwFault) << "its time-out is still to be cleared";
  EXPECT_EQ(servos[1].mode(), moteus::Mode::kTimeout);
  JointSetpoint clear;
  clear.request = BoardRequest::kClearFault;
  cycles(4, clear);
  EXPECT_EQ(states[1].status, BoardStatus::kReady);
}

TEST_F(MoteusBusTest, AServoThatComesBackIsToldAndAnotherInItsPlaceIsRefusedUntilItsOwnIsBack) {
  start();
  std::vector<BoardNotice> told;
  const auto listen = [&] {
    while (const auto notice = bus.notices().next()) told.push_back(*notice);
  };
  cycles(100, pushing(1.0));
  servos.pop_back();
  cycles(100, pushing(1.0));
  listen();
  EXPECT_TRUE(told.empty()) << "silence is the stack's to tell";
  add_servo(5, 9);
  cycles(200);
  listen();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0], (BoardNotice{Notice::kOtherBoard, 1, 9.0, 1.0}));
  EXPECT_NE(problem().find("has serial number 00000009, expected is 00000001"), std::string::npos);
  servos.pop_back();
  add_servo(5, 1);
  cycles(200);
  EXPECT_EQ(bus.phase(1), MoteusBus::Phase::kFailed) << "nobody asked";
  JointSetpoint clear;
  clear.request = BoardRequest::kClearFault;
  cycles(100, clear);
  listen();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[1], (BoardNotice{Notice::kBoardBack, 1, 0.0, 0.0}));
  EXPECT_EQ(states[1].status, BoardStatus::kReady);
  EXPECT_EQ(servos[1].mode(), moteus::Mode::kStopped) << "off until a mode is asked for";
}

TEST_F(MoteusBusTest, AServoThatNobodyWaitsForIsHeardWheneverItAnswers) {
  start();
  cycles(5, pushing(1.0));
  lost = [](const can::Frame& frame) { return frame.id >> 8U == 5; };
  cycles(60, pushing(1.0));
  lost = [](const can::Frame&) { return false; };
  now += kCycle;
  bus.open_cycle(now);
  bus.close_cycle();  // its answer is still on the wire
  settle();
  EXPECT_EQ(bus.phase(1), MoteusBus::Phase::kBack);
}

TEST_F(MoteusBusTest, AnAnswerThatIsHeldUpIsNotTakenForThisCyclesAndADoubledOneCountsOnce) {
  start();
  cycles(3);
  can::Frame held;
  lost = [&](const can::Frame& frame) {
    if (frame.id >> 8U != 5) return false;
    held = frame;
    return true;
  };
  cycles(1);
  lost = [](const can::Frame&) { return false; };
  now += kCycle;
  bus.open_cycle(now);
  bus.receive(held, now);
  EXPECT_EQ(bus.counters().late, 1U);
  EXPECT_FALSE(bus.is_complete());
  settle();
  EXPECT_TRUE(bus.is_complete());
  bus.close_cycle();
  bus.receive(held, now);
  EXPECT_EQ(bus.counters().late, 2U);

  lost = [&](const can::Frame& frame) {
    bus.receive(frame, now);  // once here, once on the wire
    return false;
  };
  cycles(1);
  EXPECT_EQ(bus.counters().doubled, 2U);
}

TEST_F(MoteusBusTest, TellsWhatItsFramesTakeOfTheWire) {
  // A position with velocity, torque and watchdog as floats: 3 + 6 + 6 + 6 + 4 bytes, and 6 of the
  // query: 32. The answer: 3 + 14 + 5 bytes: 24.
  const auto frames = bus.cyclic_frames();
  ASSERT_EQ(frames.size(), 4U);
  EXPECT_EQ(frames[0].frame.size, 32);
  EXPECT_EQ(frames[1].frame.size, 24);
  EXPECT_EQ(frames[0].period, kCycle);
  start();
  cycles(1, pushing(1.0));
  now += kCycle;
  bus.open_cycle(now);
  const auto question = bus.out().pop();
  ASSERT_TRUE(question);
  EXPECT_LE(question->size, frames[0].frame.size);
  EXPECT_EQ(servos[0].receive(*question)->size, frames[1].frame.size);
}

/// The elbow is asked for its digital inputs, too.
class ServoInputs : public MoteusBusTest {
 protected:
  static std::vector<MoteusJoint> with_inputs() {
    std::vector<MoteusJoint> joints{joint("shoulder", 3), joint("elbow", 5)};
    joints[1].host.reads_inputs = true;
    return joints;
  }
  ServoInputs() : MoteusBusTest(with_inputs()) {}
};

TEST_F(ServoInputs, ComeWithTheStateAndCountOnTheWire) {
  // The question of 31 bytes has two more, the answer of 22 four: both take the next length of FD.
  const auto frames = bus.cyclic_frames();
  ASSERT_EQ(frames.size(), 4U);
  EXPECT_EQ(frames[1].frame.size, 24);
  EXPECT_EQ(frames[2].frame.size, 48);
  EXPECT_EQ(frames[3].frame.size, 32);
  start();
  ASSERT_TRUE(bus.all_running()) << problem();
  servos[1].sense({.position = 0.5, .voltage = 24.0, .temperature = 30.0, .inputs = 0b100});
  cycles(1, pushing(1.0));
  EXPECT_EQ(states[1].inputs, 0b100);
  EXPECT_EQ(states[0].inputs, 0);
  lost = [](const can::Frame& frame) { return moteus::address_of(frame)->source == 5; };
  cycles(2, pushing(1.0));
  EXPECT_EQ(states[1].inputs, 0b100);
  cycles(1, pushing(1.0));
  EXPECT_EQ(states[1].inputs, 0) << "of a servo that is silent";
}

TEST_F(ServoInputs, AServoThatDoesNotTellThemIsRefused) {
  // One with another firmware: it answers those two registers by errors.
  lost = [this](const can::Frame& frame) {
    can::Frame answer = frame;
    const auto place = std::find(answer.data.begin(), answer.data.begin() + answer.size, 0x5E);
    if (moteus::address_of(frame)->source != 5 || place == answer.data.begin() + answer.size) {
      return false;
    }
    constexpr std::array<std::uint8_t, 6> kErrors{0x31, 0x5E, 0x01, 0x31, 0x5F, 0x01};
    answer.size = 48;
    std::copy(kErrors.begin(), kErrors.end(), place - 1);
    bus.receive(answer, now);
    return true;
  };
  start();
  EXPECT_EQ(bus.phase(1), MoteusBus::Phase::kFailed);
  EXPECT_EQ(problem(),
            "elbow (servo 5) does not tell its digital inputs (registers 05Eh and 05Fh), which a "
            "cuff is wired to; bring its firmware up to date\n");
}

TEST_F(MoteusBusTest, AnAnswerWithoutWhatWasAskedIsNone) {
  start();
  now += kCycle;
  bus.open_cycle(now);
  const auto question = bus.out().pop();
  can::Frame empty =
      moteus::frame_to({.source = 3, .destination = moteus::address_of(*question)->source});
  bus.receive(empty, now);
  EXPECT_EQ(bus.counters().damaged, 1U);
  bus.close_cycle();
  bus.read(0, 0.0, states[0]);
  EXPECT_EQ(states[0].missed, 1U);
}

TEST_F(MoteusBusTest, StopTurnsEveryServoOffAndClearsNoFault) {
  start();
  cycles(5, pushing(1.0));
  servos[0].raise_fault(moteus::FaultCode::kEncoder);
  cycles(2, pushing(1.0));
  bus.stop();
  settle();
  EXPECT_EQ(servos[0].mode(), moteus::Mode::kFault);
  EXPECT_EQ(servos[1].mode(), moteus::Mode::kStopped);
}

class ParticularServos : public MoteusBusTest {
 protected:
  static std::vector<MoteusJoint> particular() {
    std::vector<MoteusJoint> joints{joint("shoulder", 3), joint("elbow", 5)};
    joints[1].serial = 0xABC;
    return joints;
  }
  ParticularServos() : MoteusBusTest(particular()) {}
};

TEST_F(ParticularServos, AnotherSerialNumberIsToldWithBoth) {
  start();
  EXPECT_FALSE(bus.all_running());
  EXPECT_EQ(problem(), "elbow (servo 5) has serial number 00000001, expected is 00000ABC\n");
}

TEST(MoteusJointOfARobotFile, HasTheDrivesNumberUnitsAndAWatchdogOfTwentyCycles) {
  JointConfig elbow;
  elbow.name = "elbow";
  elbow.limits.v_max = 3.0;
  elbow.drive.node = 12;
  elbow.drive.gear = 2.0;
  elbow.drive.reversed = true;
  elbow.drive.zero_counts = 0.25;
  elbow.drive.serial = 77;
  const MoteusJoint servo = moteus_joint(elbow, 2e-3);
  EXPECT_EQ(servo.name, "elbow");
  EXPECT_EQ(servo.id, 12);
  EXPECT_EQ(servo.serial, 77U);
  EXPECT_NEAR(servo.host.units.position(1.25), -3.14159265, 1e-8);
  EXPECT_EQ(servo.host.v_max, 3.0);
  EXPECT_NEAR(servo.host.watchdog, 0.04, 1e-12);
  elbow.board.needs_calibration = true;
  EXPECT_THROW(static_cast<void>(moteus_joint(elbow, 2e-3)), std::invalid_argument);
}

TEST(MoteusBusIdentity, AForeignRegisterMapAndAnUnknownOutputAreTold) {
  for (const bool map : {true, false}) {
    MoteusBus bus({joint("wrist", 2)});
    moteus::ServoConfig config;
    config.id = 2;
    (map ? config.identity.register_map : config.identity.model) = 4;
    if (!map) config.identity.home_state = 1;
    moteus::ServoMachine servo(config);
    bus.start(0);
    bus.poll(0);
    while (const auto frame = bus.out().pop()) {
      if (const auto answer = servo.receive(*frame)) bus.receive(*answer, 0);
    }
    ASSERT_EQ(bus.problems(bus.all_running()).size(), 1U);
    const std::string text = bus.problems(bus.all_running())[0];
    EXPECT_NE(text.find(map ? "register map 4" : "home state 1"), std::string::npos) << text;
    EXPECT_EQ(bus.phase(0), MoteusBus::Phase::kFailed);
  }
}

}  // namespace
}  // namespace jointrig::hw
