#pragma once
/// Common parts of the project's halves of tests against other people's servo software: a servo
/// with an inertia behind it.

#include <poll.h>

#include <array>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "hw/can/bus_hub.h"
#include "hw/can/clock.h"
#include "sim/board/board.h"

namespace jointrig::servo_tool {

/// A servo whose output turns a flywheel with some friction.
template <typename Servo, typename ServoSpec>
class Flywheel {
 public:
  static constexpr double kPeriod = 1e-3;  // [s]

  Flywheel(const ServoSpec& servo, const sim::BoardSpec& board)
      : board_(board), servo_(servo, board_) {
    board_.power_on({});
    servo_.power_on(0);
  }

  /// The joint that the flywheel is.
  static JointConfig joint(double v_max, double tau_max) {
    JointConfig joint;
    joint.name = "flywheel";
    joint.limits.q_min = -100.0;
    joint.limits.q_max = 100.0;
    joint.limits.v_max = v_max;
    joint.limits.tau_max = tau_max;
    joint.gains = {.kp = 20.0, .kd = 0.5};
    return joint;
  }

  /// Lets the physics go on up to `now`.
  void run_until(can::TimeNs now) {
    if (next_ == 0) next_ = now;
    for (; next_ <= now; next_ += can::kMillisecond) {
      const double torque = board_.act(&servo_.next_period());
      v_ += (torque - kFriction * v_) / kInertia * kPeriod;
      q_ += v_ * kPeriod;
      board_.sense({q_, v_});
    }
  }
  [[nodiscard]] can::TimeNs next() const { return next_; }
  Servo& servo() { return servo_; }
  sim::SimBoard& board() { return board_; }

  void serve_frames(can::VirtualBus& bus, can::NodeId node, can::TimeNs now) {
    std::array<can::Delivery, 16> heard;
    while (const std::size_t count = bus.receive(node, heard)) {
      for (std::size_t i = 0; i < count; ++i) {
        servo_.receive(heard[i].frame, now);
        while (const auto answer = servo_.next_frame()) bus.send(node, *answer, now);
      }
    }
  }

 private:
  static constexpr double kInertia = 0.01;   // [kg·m²]
  static constexpr double kFriction = 0.01;  // [N·m·s/rad]
  sim::SimBoard board_;
  Servo servo_;
  double q_ = 0;
  double v_ = 0;
  can::TimeNs next_ = 0;
};

inline bool has_line() {
  pollfd waited{0, POLLIN, 0};
  return ::poll(&waited, 1, 0) > 0;
}

/// The program's main.
inline int guarded(int argc, char** argv,
                   int (*run)(const std::vector<std::string>& words)) noexcept {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

}  // namespace jointrig::servo_tool
