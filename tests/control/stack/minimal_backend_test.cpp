/// The smallest useful backend: a row of hobby servos that take positions and report positions. All
/// the rest of the stack works on it, or says that it can't.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/backend.h"
#include "control/exchange/robot_client.h"
#include "control/stack/loop.h"
#include "tests/support/ideal_robot.h"

namespace jointrig {
namespace {

/// A servo goes to its last commanded position at up to 3 rad/s.
class Servos : public Backend {
 public:
  explicit Servos(const RobotConfig& config) : q_(config.joints.size()), wanted_(q_.size()) {
    for (const JointConfig& joint : config.joints) {
      description_.joints.push_back({.joint = joint.name, .drive_modes = {DriveMode::kPosition}});
    }
  }
  [[nodiscard]] const BackendDescription& description() const noexcept override {
    return description_;
  }
  void start() override {}
  Tick wait() noexcept override {
    for (std::size_t i = 0; i < q_.size() && commanded_; ++i) {
      q_[i] += std::clamp(wanted_[i] - q_[i], -3e-3, 3e-3);
    }
    ++cycle_;
    return {};
  }
  void read(RobotState& state) noexcept override {
    state.cycle = cycle_;
    state.time_ns = static_cast<TimeNs>(cycle_) * description_.period_ns;
    for (std::size_t i = 0; i < q_.size(); ++i) state.joints[i].q = q_[i];
  }
  void write(const RobotCommand& command) noexcept override {
    for (std::size_t i = 0; i < q_.size(); ++i) wanted_[i] = command.joints[i].q;
    commanded_ = true;
  }
  void stop() noexcept override {}

  std::vector<double> q_;

 private:
  std::vector<double> wanted_;
  BackendDescription description_{.name = "servos"};
  std::uint64_t cycle_ = 0;
  bool commanded_ = false;
};

struct ServoRig {
  ServoRig() {
    servos.q_[0] = 0.4;
    servos.q_[1] = -0.2;
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) loop.step();
  }
  RejectReason answer(std::uint64_t number) {
    run(1);
    for (Event e; reader.next(e);) {
      if (e.number == number && e.sender == client.sender()) return e.reason;
    }
    return RejectReason::kInboxFull;
  }
  RobotConfig config = testing::ideal_config(2);
  Servos servos{config};
  Stack stack{config, servos.description().joints, nullptr};
  Loop loop{servos, stack};
  RobotClient client{stack.config(), stack.inbox(), "test"};
  EventRing::Reader reader{stack.events()};
  JointSet all = client.select("all");
};

TEST(MinimalBackend, IdleHoldsSinceThisMotorCanNotBeTurnedOff) {
  ServoRig rig;
  rig.run(500);
  EXPECT_NEAR(rig.servos.q_[0], 0.4, 1e-12);
  EXPECT_NEAR(rig.servos.q_[1], -0.2, 1e-12);
}

TEST(MinimalBackend, MovesStreamsAndDrivesAtAVelocity) {
  ServoRig rig;
  rig.run(1);
  ASSERT_EQ(rig.answer(rig.client.set_mode(rig.all, ModeRequest::kPosition)), RejectReason::kNone);
  rig.client.move(rig.all, 1.0, 1.0);
  rig.run(4000);
  EXPECT_NEAR(rig.servos.q_[0], 1.0, 1e-9);
  EXPECT_NEAR(rig.servos.q_[1], 1.0, 1e-9);

  ASSERT_EQ(rig.answer(rig.client.set_mode(rig.all, ModeRequest::kVelocity)), RejectReason::kNone);
  for (int i = 0; i < 50; ++i) {
    rig.client.send<StreamVelocity>({{0, {-0.5}}});
    rig.run(10);
  }
  EXPECT_NEAR(rig.stack.snapshot().joints[0].state.v, -0.5, 1e-6) << "velocity from positions";
  EXPECT_NEAR(rig.servos.q_[0], 1.0 - 0.5 * 0.5 + 0.5 * 0.5 * 0.05, 5e-3);

  ASSERT_EQ(rig.answer(rig.client.set_mode(rig.all, ModeRequest::kPositionDirect)),
            RejectReason::kNone);
  double sample = rig.servos.q_[1];
  for (int i = 0; i < 300; ++i) {
    sample += 1e-3;
    rig.client.send<StreamPosition>({{1, {sample}}});
    rig.run(1);
  }
  for (int i = 0; i < 1000; ++i) {  // from full motion to the last sample, which is held
    rig.client.send<StreamPosition>({{1, {sample}}});
    rig.run(1);
  }
  EXPECT_NEAR(rig.servos.q_[1], sample, 1e-9);
}

TEST(MinimalBackend, ASwitchOfModeMovesNothing) {
  ServoRig rig;
  rig.run(10);
  for (const ModeRequest request :
       {ModeRequest::kPosition, ModeRequest::kVelocity, ModeRequest::kMixed,
        ModeRequest::kPositionDirect, ModeRequest::kIdle, ModeRequest::kPosition}) {
    rig.client.set_mode(rig.all, request);
    for (int i = 0; i < 50; ++i) {
      const double before = rig.servos.q_[0];
      rig.run(1);
      EXPECT_NEAR(rig.servos.q_[0], before, 1e-12) << to_string(request);
    }
  }
}

TEST(MinimalBackend, WhatCanNotBeEmulatedIsRefused) {
  ServoRig rig;
  rig.run(1);
  EXPECT_EQ(rig.answer(rig.client.set_mode(rig.all, ModeRequest::kTorque)),
            RejectReason::kUnsupported);
  EXPECT_EQ(rig.answer(rig.client.set_mode(rig.all, ModeRequest::kOpenloop)),
            RejectReason::kUnsupported);
  EXPECT_EQ(rig.answer(rig.client.set_interaction(rig.all, InteractionMode::kCompliant)),
            RejectReason::kUnsupported);
  EXPECT_EQ(rig.answer(rig.client.set_mode(rig.all, ModeRequest::kImpedancePosition)),
            RejectReason::kUnsupported);
}

TEST(MinimalBackend, ThePortIsOneHeaderOfAtMostAboutAHundredAndFiftyLines) {
  std::FILE* header = std::fopen("control/backend.h", "r");
  ASSERT_NE(header, nullptr) << "tests run from the top of the source tree";
  int lines = 0;
  for (int c; (c = std::fgetc(header)) != EOF;) lines += c == '\n';
  std::fclose(header);
  EXPECT_LE(lines, 150);
}

}  // namespace
}  // namespace jointrig
