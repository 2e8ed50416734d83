#pragma once
/// Common parts of the project's halves of tests against other people's servo software: a servo
/// with an inertia behind it, and a driver that is told what to do line by line.

#include <poll.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "hw/can/bus_hub.h"
#include "hw/can/clock.h"
#include "hw/driver/hw_backend.h"
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

class WallClock final : public hw::BusClock {
 public:
  [[nodiscard]] std::int64_t now() const noexcept override { return can::monotonic_now(); }
};

/// A backend on one line.
inline std::unique_ptr<hw::HwBackend> backend_on(hw::HwBus line, TimeNs cycle,
                                                 TimeNs start_within) {
  std::vector<hw::HwBus> lines;
  lines.push_back(std::move(line));
  return std::make_unique<hw::HwBackend>(cycle, std::move(lines),
                                         hw::HwOptions{.start_within_ns = start_within});
}

inline JointSetpoint setpoint_of(const std::string& drive, double value) {
  JointSetpoint setpoint;
  if (drive == "clear") {
    setpoint.request = BoardRequest::kClearFault;
  } else if (parse(drive, setpoint.drive)) {
    setpoint.q = setpoint.drive == DriveMode::kPosition ? value : 0.0;
    setpoint.v = setpoint.drive == DriveMode::kVelocity ? value : 0.0;
    setpoint.tau = setpoint.drive == DriveMode::kTorque ? value : 0.0;
  }
  return setpoint;
}

inline void start(hw::HwBackend& backend) {
  try {
    backend.start();
    std::puts("running");
  } catch (const std::exception& problem) {
    std::string text = problem.what();
    std::replace(text.begin(), text.end(), '\n', ';');
    std::puts(text.c_str());
  }
}

/// N cycles with one setpoint for all joints, then a line with the first joint's state.
inline void run_cycles(hw::HwBackend& backend, RobotState& state, std::size_t joints, int cycles,
                       const JointSetpoint& setpoint) {
  RobotCommand command;
  command.joints.resize(joints);
  for (JointSetpoint& one : command.joints) one = setpoint;
  for (int i = 0; i < cycles && backend.wait().is_due; ++i) {
    backend.read(state);
    backend.write(command);
  }
  const JointState& joint = state.joints[0];
  std::printf("%s %.9g %.9g %.9g %u %s\n", std::string(to_string(joint.status)).c_str(), joint.q,
              joint.v, joint.tau, joint.missed, std::string(to_string(joint.fault)).c_str());
}

/// Answers `start`, `run N DRIVE VALUE`, and what `others` knows: verb, number, state.
inline int drive(hw::HwBackend& backend, std::size_t joints,
                 const std::function<void(const std::string&, int, const RobotState&)>& others) {
  RobotState state;
  std::puts("up");
  std::string line;
  while (std::fflush(stdout), std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string verb;
    std::string mode;
    int count = 0;
    double value = 0;
    words >> verb >> count >> mode >> value;
    if (verb == "start") start(backend);
    if (verb == "run") run_cycles(backend, state, joints, count, setpoint_of(mode, value));
    others(verb, count, state);
  }
  backend.stop();
  return 0;
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
