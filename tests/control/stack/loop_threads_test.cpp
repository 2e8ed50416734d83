#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/support/ideal_rig.h"

namespace jointrig {
namespace {

TEST(Loop, ThreeClientsHammeringItAndOneReadingSnapshotsDisturbNothing) {
  testing::IdealRig rig(7);
  rig.enter(ModeRequest::kMixed);
  std::atomic<bool> done{false};

  std::vector<std::thread> clients;
  for (int c = 0; c < 3; ++c) {
    clients.emplace_back([&rig, &done, c] {
      RobotClient client(rig.stack.config(), rig.stack.inbox(), "hammer");
      const auto joint = static_cast<JointIndex>(2 * c);
      for (int i = 0; !done.load(); ++i) {
        client.send<StreamVelocity>({{joint, {0.1}}});
        client.move(JointSet{}.set(joint), 0.01 * (i % 10), 1.0);
        client.send<StreamTorque>({{joint, {1.0}}});  // refused: mixed takes no torque
        std::this_thread::yield();
      }
    });
  }
  std::thread watcher([&] {
    auto snapshot = std::make_unique<Snapshot>();
    EventRing::Reader reader(rig.stack.events());
    std::uint64_t last = 0;
    while (!done.load()) {
      if (rig.loop.exchange().read(*snapshot)) {
        ASSERT_GE(snapshot->cycle, last);
        last = snapshot->cycle;
        for (const JointSnapshot& joint : snapshot->joints) {
          ASSERT_EQ(joint.mode, JointMode::kMixed);
          ASSERT_TRUE(std::isfinite(joint.setpoint.tau));
        }
      }
      for (Event e; reader.next(e);) {
        ASSERT_LT(static_cast<std::size_t>(e.kind), kAllEventKind.size());
      }
    }
  });
  for (int i = 0; i < 5000; ++i) {
    rig.run(1);
    if (i % 50 == 0) std::this_thread::yield();
  }
  done = true;
  for (std::thread& t : clients) t.join();
  watcher.join();
  EXPECT_NEAR(rig.robot.joint[1].q, 0.0, 1e-9) << "nobody asked anything of joint 2";
}

}  // namespace
}  // namespace jointrig
