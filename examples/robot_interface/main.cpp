#include <cstdio>
#include <exception>

#include "app/robot/robot.h"

// robot_interface [BACKEND [ROBOT]]
int main(int argc, char** argv) try {
  jointrig::Robot robot(argc > 2 ? argv[2] : ROBOTS "/franka",
                        {.backend = argc > 1 ? argv[1] : "kinematic"});
  robot.initialize();

  auto q = robot.commanded_position();  // there and back
  q[0] += 0.1;
  robot.move_to(q);
  robot.wait();
  q[0] -= 0.1;
  robot.move_to(q);
  robot.wait();

  auto v = robot.commanded_velocity();  // a control loop, at the robot's rate
  const double end = robot.clock() + 0.5;
  while (robot.status() == "ok" && robot.clock() < end) {
    robot.begin_step();
    v[0] = 2.0 * (q[0] + 0.05 - robot.sensed_position()[0]);
    robot.set_velocity(v, 0.1);  // should the program stop, the joints hold 0.1 s later
    robot.end_step();
  }
  robot.wait();
  std::printf("%s: moved by %.3f\n", robot.backend().c_str(), robot.sensed_position()[0] - q[0]);
} catch (const std::exception& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 2;
}
