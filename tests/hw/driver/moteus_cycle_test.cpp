// A cycle of a moteus bus allocates, locks, throws and prints nothing, whatever comes.

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "hw/driver/moteus_bus.h"
#include "hw/moteus/servo_machine.h"
#include "tests/hw/can/random_frame.h"
#include "tests/support/alloc_guard.h"

namespace jointrig::hw {
namespace {

TEST(MoteusInACycle, HostAndServosAllocateNothing) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  std::vector<MoteusJoint> joints;
  std::vector<moteus::ServoMachine> servos;
  for (std::uint8_t id = 1; id <= 7; ++id) {
    MoteusJoint joint;
    joint.name = "joint" + std::to_string(id);
    joint.id = id;
    joint.host.reads_inputs = id == 7;
    joints.push_back(joint);
    moteus::ServoConfig config;
    config.id = id;
    servos.emplace_back(config);
  }
  MoteusBus bus(joints);
  std::mt19937 random(3);
  std::vector<can::Frame> noise;
  for (int i = 0; i < 3000; ++i) noise.push_back(can::random_frame(random));
  JointSetpoint push;
  push.drive = DriveMode::kTorque;
  push.tau = 0.1;
  JointState state;
  RealtimeGuard guard;
  std::int64_t now = 0;
  int fresh = 0;
  bus.start(now);
  bus.begin();
  for (const can::Frame& any : noise) {
    now += 1'000'000;
    bus.open_cycle(now);
    while (const auto frame = bus.out().pop()) {
      moteus::ServoMachine& servo =
          servos[((frame->id & 0x7FU) + servos.size() - 1) % servos.size()];
      if (const auto answer = servo.receive(*frame)) bus.receive(*answer, now);
      servo.update(1e-3);
    }
    bus.receive(any, now);
    servos[0].receive(any);
    bus.close_cycle();
    for (std::size_t j = 0; j < bus.size(); ++j) {
      bus.read(j, 0.0, state);
      fresh += state.missed == 0 && state.status == BoardStatus::kEnabled ? 1 : 0;
      bus.write(j, push);
    }
  }
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
  EXPECT_GT(fresh, 1000);
}

}  // namespace
}  // namespace jointrig::hw
