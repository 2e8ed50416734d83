#include "app/boards/virtual_servo.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hw/moteus/codec.h"
#include "hw/moteus/command.h"

namespace jointrig::app {
namespace {

constexpr double kPeriod = 1e-3;     // [s]
constexpr double kInertia = 0.01;    // [kg·m²]
constexpr double kDamping = 0.01;    // [N·m·s/rad]
constexpr double kTurn = 6.2831853;  // [rad]

sim::BoardSpec spec() {
  JointConfig joint;
  joint.name = "flywheel";
  joint.limits.q_min = -100.0;
  joint.limits.q_max = 100.0;
  joint.limits.v_max = 30.0;
  joint.limits.tau_max = 5.0;
  joint.gains = {.kp = 20.0, .kd = 0.5};
  return board_of_servo(sim::make_board_spec(joint, PlantConfig{}, kPeriod));
}

/// Its law is closed in the servo, not by who asks: with kp 20, kd 0.5 behind 0.01 kg·m² it swings
/// at 45 rad/s, damped by 0.57, and has come to its speed in 0.2 s. On what was sensed at the last
/// question it would overshoot from one end of its torque to the other.
TEST(VirtualServo, FollowsASpeedThoughNobodyAsksMeanwhile) {
  sim::SimBoard board(spec());
  VirtualServo servo({.serial = 1}, board);
  board.power_on({});
  servo.power_on(0);
  can::Frame frame = moteus::frame_to({.source = 0x70, .destination = 1, .wants_reply = true});
  moteus::FrameWriter writer(frame);
  moteus::put_position(writer, {.velocity = 0.5, .timeout = std::nan("")},
                       moteus::Resolution::kFloat);
  writer.finish();
  double q = 0.0;
  double v = 0.0;
  for (int period = 0; period < 2000; ++period) {
    if (period == 0) servo.receive(frame, 0);
    v += (board.act(&servo.next_period()) - kDamping * v) / kInertia * kPeriod;
    q += v * kPeriod;
    board.sense({q, v});
    if (period > 500) {
      ASSERT_NEAR(v / kTurn, 0.5, 0.01) << period;
    }
  }
}

}  // namespace
}  // namespace jointrig::app
