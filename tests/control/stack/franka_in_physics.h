#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"

namespace jointrig::testing {

/// The Franka arm in physics, in position mode for a second.
struct FrankaInPhysics {
  static constexpr std::size_t kJoints = 8;  // seven of the arm, a finger

  explicit FrankaInPhysics(const RobotConfig& config)
      : rig(config, {}), client(rig.stack().config(), rig.stack().inbox(), "test") {
    rig.start();
    rig.loop().step();
    client.set_mode(client.select("all"), ModeRequest::kPosition);
    run(1000);
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig.loop().step();
  }
  [[nodiscard]] const Snapshot& now() { return rig.stack().snapshot(); }
  [[nodiscard]] const ArmSnapshot& arm() { return now().arms[0]; }
  /// The largest change of any joint's torque from one cycle to the next.
  double hardest_step(int cycles) {
    double hardest = 0.0;
    for (int n = 0; n < cycles; ++n) {
      std::array<double, kJoints> before{};
      for (std::size_t i = 0; i < kJoints; ++i) before[i] = now().joints[i].setpoint.tau;
      run(1);
      for (std::size_t i = 0; i < kJoints; ++i) {
        hardest = std::max(hardest, std::abs(now().joints[i].setpoint.tau - before[i]));
      }
    }
    return hardest;
  }

  app::Rig rig;
  RobotClient client;
};

}  // namespace jointrig::testing
