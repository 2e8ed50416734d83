#include "app/robot/block_runner.h"

#include <optional>
#include <stdexcept>
#include <utility>

namespace jointrig {

Signals inputs_of(const Robot& robot, const RobotPart& part) {
  Signals in{{"t", {robot.clock()}},
             {"dt", {1.0 / robot.control_rate()}},
             {"q", part.sensed_position()},
             {"dq", part.sensed_velocity()}};
  for (const std::string& name : robot.sensor_names()) {
    const SensorReading reading = robot.sensor(name);
    Signals::Vector six(reading.linear.begin(), reading.linear.end());
    six.insert(six.end(), reading.angular.begin(), reading.angular.end());
    in.set(name, std::move(six));
  }
  return in;
}

void send_outputs(const Signals& out, RobotPart& part) {
  const bool has_q = out.has("qcmd");
  const bool has_v = out.has("dqcmd");
  const bool has_torque = out.has("torquecmd");
  if (has_torque && has_q && has_v) {
    return part.set_pid(out.at("qcmd"), out.at("dqcmd"), {}, out.at("torquecmd"));
  }
  if (has_torque && (has_q || has_v)) {
    throw std::invalid_argument(
        "a torque is fed forward beside a position with its velocity: give torquecmd alone, or "
        "qcmd, dqcmd and torquecmd");
  }
  if (has_torque) return part.set_torque(out.at("torquecmd"));
  if (has_q && has_v) return part.set_pid(out.at("qcmd"), out.at("dqcmd"));
  if (has_q) return part.set_position(out.at("qcmd"));
  if (!has_v) {
    throw std::invalid_argument(
        "a block that controls a robot gives qcmd, dqcmd, both, or torquecmd; this one gave none");
  }
  std::optional<double> time;
  if (out.has("tcmd")) time = out.number("tcmd");
  part.set_velocity(out.at("dqcmd"), time);
}

std::size_t run_block(Robot& robot, Block& block, double seconds) {
  const double end = robot.clock() + seconds - 0.5 / robot.control_rate();
  std::size_t steps = 0;
  while (robot.status() == "ok" && robot.clock() < end) {
    robot.begin_step();
    send_outputs(block.advance(inputs_of(robot, robot.all())), robot.all());
    robot.end_step();
    ++steps;
  }
  return steps;
}

}  // namespace jointrig
