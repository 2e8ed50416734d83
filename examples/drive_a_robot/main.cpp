// Moves the elbow of a simulated Franka arm by 20 degrees and checks that it arrived
// (docs/library.md).

#include <cmath>
#include <cstdio>
#include <memory>

#include "app/rig/robot_loading.h"
#include "control/exchange/robot_client.h"
#include "control/stack/loop.h"
#include "sim/sim_backend.h"

using namespace jointrig;

int main(int argc, char** argv) try {
  const RobotConfig config =
      app::load_robot(harness::find_robot(argc > 1 ? argv[1] : ROBOTS "/franka")).config;
  sim::SimBackend robot(config);  // or another jointrig::Backend
  Stack stack(config, robot.description().joints, std::make_unique<RobotModel>(config));
  Loop loop(robot, stack);
  RobotClient client(config, stack.inbox(), "drive_a_robot");

  robot.start();
  loop.step();  // the first cycle shows where the robot stands
  const JointIndex elbow = joint_named(config, "panda_joint4");
  const auto angle = [&] { return loop.state().joints[elbow].q; };
  const double goal = angle() + 20.0 * M_PI / 180.0;
  client.set_mode(client.select("all"), ModeRequest::kPosition);
  client.move(client.select("panda_joint4"), goal, 0.5);  // rad/s

  for (int cycle = 0; cycle < 3000 && loop.step(); ++cycle) {
    if (cycle % 500 == 0) std::printf("%.1f s: %+.3f rad\n", cycle * 1e-3, angle());
  }
  robot.stop();
  std::printf("at %+.4f rad, wanted %+.4f rad\n", angle(), goal);
  return std::abs(angle() - goal) < 1e-3 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 2;
}
