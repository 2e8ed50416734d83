#include "hw/driver/canopen_bus.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "tests/hw/canopen/ideal_drive.h"

namespace jointrig::hw {
namespace {

using cia402::PowerState;

constexpr std::int64_t kCycle = 1'000'000;  // [ns]

BusJoint joint(const std::string& name, std::uint8_t number) {
  DriveFacts facts;
  facts.encoder_increments = 4096;
  facts.gear = 100;
  facts.rated_torque = 0.5;
  BusJoint j;
  j.name = name;
  j.host.units = DriveUnits(facts, false);
  j.host.v_max = 1e6;
  j.host.supported_modes = 0x3AD;
  j.settings.node = number;
  return j;
}

/// Boards 3 and 5 and their host on a wire that carries every frame within the cycle.
class CanopenBusTest : public testing::Test {
 protected:
  CanopenBusTest() : CanopenBusTest({joint("shoulder", 3), joint("elbow", 5)}) {}
  explicit CanopenBusTest(std::vector<BusJoint> joints) : bus(std::move(joints)) {
    add_board(3);
    add_board(5);
  }

  void add_board(std::uint8_t number) {
    boards.push_back(std::make_unique<canopen::IdealDrive>(number));
    boards.back()->node().power_on(now);
    while (boards.back()->node().out().pop()) {
    }
  }

  /// Frames go to and fro until there are none.
  void settle() {
    for (bool any = true; any;) {
      any = false;
      while (const auto frame = bus.out().pop()) {
        any = true;
        for (auto& board : boards) {
          if (board != nullptr) board->node().receive(*frame, now);
        }
      }
      for (auto& board : boards) {
        if (board == nullptr) continue;
        board->node().poll(now);
        while (const auto frame = board->node().out().pop()) {
          any = true;
          if (!lost(*frame)) bus.receive(*frame, now);
        }
      }
    }
  }

  void cycles(int count, const JointSetpoint& setpoint = {}) {
    for (int i = 0; i < count; ++i) {
      now += kCycle;
      bus.open_cycle(now);
      settle();
      complete = bus.is_complete();
      bus.close_cycle();
      for (std::size_t j = 0; j < bus.size(); ++j) {
        bus.read(j, 0.0, states[j]);
        bus.write(j, setpoint);
      }
    }
  }

  void start() {
    bus.start(now);
    cycles(200);
  }

  static JointSetpoint at(double q) {
    JointSetpoint s;
    s.drive = DriveMode::kPosition;
    s.q = q;
    return s;
  }

  std::int32_t position_of(std::size_t board) {
    return boards[board]->node().objects().object<std::int32_t>(0x6064).get();
  }

  std::int64_t now = 0;
  std::vector<std::unique_ptr<canopen::IdealDrive>> boards;
  std::function<bool(const can::Frame&)> lost = [](const can::Frame&) { return false; };
  bool complete = false;
  CanopenBus bus;
  std::array<JointState, 2> states;
};

TEST_F(CanopenBusTest, NodesAreFoundSetUpStartedAndSwitchedOnWithTheirStagesOff) {
  start();
  EXPECT_TRUE(bus.all_running()) << bus.node_text(0) << bus.node_text(1);
  EXPECT_TRUE(complete);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(boards[i]->drive().state, PowerState::kSwitchedOn);
    EXPECT_EQ(states[i].status, BoardStatus::kReady);
    EXPECT_EQ(states[i].missed, 0U);
  }
  EXPECT_TRUE(bus.foreign_nodes().empty());
}

/// The elbow's board sends its digital inputs, too.
class InputsOverTheBus : public CanopenBusTest {
 protected:
  static std::vector<BusJoint> with_inputs() {
    std::vector<BusJoint> joints{joint("shoulder", 3), joint("elbow", 5)};
    joints[1].settings.tells_inputs = true;
    return joints;
  }
  InputsOverTheBus() : CanopenBusTest(with_inputs()) {}
  void press(std::uint32_t bits) {
    boards[1]->node().objects().object<std::uint32_t>(0x60FD).set(bits);
  }
};

TEST_F(InputsOverTheBus, ArriveInTheCycleInWhichTheyWereSampled) {
  start();
  ASSERT_TRUE(bus.all_running()) << bus.node_text(1);
  EXPECT_EQ(states[1].inputs, 0);
  press(0x0004'0000);
  cycles(1);
  EXPECT_EQ(states[1].inputs, 0b100);
  EXPECT_EQ(states[0].inputs, 0);
  EXPECT_TRUE(complete);
  press(0);
  cycles(1);
  EXPECT_EQ(states[1].inputs, 0);
}

TEST_F(InputsOverTheBus, AreOffFromTheThirdCycleInWhichTheirFrameAloneStaysAway) {
  start();
  press(0x0004'0000);
  cycles(5, at(0.1));
  lost = [](const can::Frame& frame) { return frame.id == 0x685; };
  cycles(2, at(0.1));
  EXPECT_EQ(states[1].inputs, 0b100);
  cycles(1, at(0.1));
  EXPECT_EQ(states[1].inputs, 0);
  EXPECT_EQ(states[1].missed, 0U);
  EXPECT_EQ(states[1].status, BoardStatus::kEnabled) << "its joint goes on";
  lost = [](const can::Frame&) { return false; };
  cycles(1, at(0.1));
  EXPECT_EQ(states[1].inputs, 0b100);
}

TEST_F(InputsOverTheBus, AreOffOfABoardThatIsLostOrStartsAnew) {
  start();
  press(0x0004'0000);
  cycles(5, at(0.1));
  lost = [](const can::Frame& frame) { return (frame.id & 0x7FU) == 5; };
  cycles(3, at(0.1));
  EXPECT_EQ(states[1].missed, 3U);
  EXPECT_EQ(states[1].inputs, 0);
  lost = [](const can::Frame&) { return false; };
  cycles(5, at(0.1));
  EXPECT_EQ(states[1].inputs, 0b100);
  boards[1]->node().receive(canopen::frame_of({canopen::NmtCommand::kResetCommunication, 5}), now);
  cycles(1, at(0.1));
  EXPECT_EQ(states[1].status, BoardStatus::kNotConfigured);
  EXPECT_EQ(states[1].inputs, 0);
  cycles(200);
  EXPECT_EQ(states[1].status, BoardStatus::kReady);
  EXPECT_EQ(states[1].inputs, 0b100) << "set up again, with its inputs";
}

TEST_F(CanopenBusTest, ACommandActsAtTheNextSyncAndIsSeenAtTheOneAfter) {
  start();
  cycles(3, at(0.0));
  ASSERT_EQ(states[1].status, BoardStatus::kEnabled);
  cycles(1, at(0.5));  // cycle k computes it
  EXPECT_EQ(position_of(1), 0);
  cycles(1, at(0.5));  // SYNC k + 1: sampled, then acted on
  EXPECT_NEAR(position_of(1), 0.5 * 409'600 / 6.283185307179586, 0.5);
  EXPECT_EQ(states[1].q, 0.0);
  cycles(1, at(0.5));
  EXPECT_NEAR(states[1].q, 0.5, 1e-5);
}

TEST_F(CanopenBusTest, ANodeThatIsNotThereIsNamedAndTheOthersRun) {
  boards[1].reset();
  start();
  EXPECT_EQ(bus.phase(0), NodePhase::kRunning);
  EXPECT_EQ(states[0].status, BoardStatus::kReady);
  EXPECT_EQ(bus.phase(1), NodePhase::kAbsent);
  EXPECT_EQ(states[1].status, BoardStatus::kNotConfigured);
  EXPECT_TRUE(bus.node_text(1).starts_with("elbow (node 5) does not answer")) << bus.node_text(1);
  EXPECT_TRUE(complete) << "nobody waits for it";
}

TEST_F(CanopenBusTest, ANodeThatBelongsToNoJointIsNamed) {
  add_board(9);
  start();
  EXPECT_EQ(bus.foreign_nodes(), std::vector<std::uint8_t>{9});
  EXPECT_TRUE(bus.all_running());
}

TEST_F(CanopenBusTest, TwoNodesWithOneNumberAreNotStarted) {
  add_board(5);
  start();
  EXPECT_EQ(bus.phase(1), NodePhase::kFailed);
  EXPECT_NE(bus.node_text(1).find("two nodes share the number"), std::string::npos)
      << bus.node_text(1);
  EXPECT_EQ(bus.phase(0), NodePhase::kRunning);
}

TEST_F(CanopenBusTest, AResetInMotionIsNotConfiguredAtOnceAndComesBackWithItsStageOff) {
  start();
  cycles(10, at(0.1));
  ASSERT_EQ(states[1].status, BoardStatus::kEnabled);
  boards[1]->node().receive(canopen::frame_of({canopen::NmtCommand::kResetNode, 5}), now);
  cycles(1, at(0.1));
  EXPECT_EQ(states[1].status, BoardStatus::kNotConfigured);
  EXPECT_EQ(states[0].status, BoardStatus::kEnabled) << "the other one isn't touched";
  cycles(200);
  EXPECT_EQ(bus.phase(1), NodePhase::kRunning);
  EXPECT_EQ(states[1].status, BoardStatus::kReady);
  EXPECT_EQ(boards[1]->drive().state, PowerState::kSwitchedOn);
}

TEST_F(CanopenBusTest, ANodeThatSomebodyElseStopsStaysOut) {
  start();
  cycles(10, at(0.1));
  boards[1]->node().receive(canopen::frame_of({canopen::NmtCommand::kEnterPreOperational, 5}), now);
  cycles(100, at(0.1));  // its next heartbeat tells; before that it was lost by its silence
  EXPECT_EQ(bus.phase(1), NodePhase::kTakenOut);
  EXPECT_EQ(states[1].status, BoardStatus::kHwFault);
  EXPECT_EQ(states[1].fault, FaultCode::kBoardLost);
  EXPECT_FALSE(boards[1]->drive().power_stage());
  EXPECT_NE(bus.node_text(1).find("somebody else"), std::string::npos);
  cycles(1000, at(0.1));
  EXPECT_EQ(bus.phase(1), NodePhase::kTakenOut) << "nothing comes back by itself";
  bus.restart(1);
  cycles(200);
  EXPECT_EQ(states[1].status, BoardStatus::kHwFault) << "latched";
  JointSetpoint clear;
  clear.request = BoardRequest::kClearFault;
  cycles(2, clear);
  EXPECT_EQ(states[1].status, BoardStatus::kReady);
}

TEST_F(CanopenBusTest, AHeartbeatThatStopsIsSilenceAfterItsTime) {
  start();
  cycles(10, at(0.1));
  lost = [](const can::Frame& frame) { return frame.id == 0x705; };
  cycles(249, at(0.1));
  EXPECT_EQ(states[1].status, BoardStatus::kEnabled) << "PDOs go on";
  cycles(60, at(0.1));
  EXPECT_EQ(bus.phase(1), NodePhase::kLost);
  EXPECT_EQ(states[1].status, BoardStatus::kNotConfigured);
}

TEST_F(CanopenBusTest, ABoardWhoseHostFallsSilentStopsByItself) {
  start();
  cycles(10, at(0.1));
  for (int i = 0; i < 400; ++i) {  // the host does nothing any more
    now += kCycle;
    for (auto& board : boards) board->node().poll(now);
  }
  for (auto& board : boards) {
    board->sample(now);
    EXPECT_TRUE(board->drive().state == PowerState::kFault ||
                board->drive().state == PowerState::kFaultReactionActive);
    EXPECT_EQ(board->drive().error_code, 0x8130);
  }
}

TEST_F(CanopenBusTest, LostStatesAgeAndTheCycleIsNotComplete) {
  start();
  cycles(10, at(0.1));
  lost = [](const can::Frame& frame) { return frame.id == 0x185; };
  cycles(19, at(0.1));
  EXPECT_FALSE(complete);
  EXPECT_EQ(states[1].missed, 19U);
  EXPECT_EQ(states[0].missed, 0U);
  lost = [](const can::Frame&) { return false; };
  cycles(1, at(0.1));
  EXPECT_EQ(states[1].missed, 0U);
}

TEST_F(CanopenBusTest, StopTurnsEveryDriveOffAndLeavesItPreOperational) {
  start();
  cycles(10, at(0.1));
  bus.stop();
  settle();
  for (auto& board : boards) {
    EXPECT_EQ(board->node().state(), canopen::NmtState::kPreOperational);
    board->sample(now);
    EXPECT_FALSE(board->drive().power_stage());
  }
}

}  // namespace
}  // namespace jointrig::hw
