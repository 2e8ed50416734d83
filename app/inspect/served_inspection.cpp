#include "app/inspect/served_inspection.h"

#include <fmt/core.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "app/version.h"
#include "control/core/text.h"
#include "control/discovery/inspection.h"
#include "control/discovery/text_table.h"

namespace jointrig::app {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string position(const JointConfig& joint, double q) {
  if (std::isnan(q)) return "-";
  if (!std::isfinite(q)) return q < 0.0 ? "-inf" : "inf";
  return joint.slide ? fmt::format("{:.3f} m", q)
                     : fmt::format("{:.1f} deg", q * 180.0 / std::numbers::pi);
}

std::string number(double value) { return fmt::format("{:.4g}", value); }

std::string limits_table(const RobotConfig& robot) {
  Rows rows{{"joint", "type", "from", "to", "start", "v_max", "a_max", "tau_max", "part"}};
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const JointConfig& joint = robot.joints[i];
    rows.push_back({joint.name, joint.slide ? "slide" : "hinge",
                    position(joint, joint.limits.q_min), position(joint, joint.limits.q_max),
                    position(joint, joint.q_start), number(joint.limits.v_max),
                    number(joint.limits.a_max), number(joint.limits.tau_max),
                    part_name(robot, static_cast<JointIndex>(i))});
  }
  return table(rows, {false, false, true, true, true, true, true, true, false});
}

std::string gains_table(const RobotConfig& robot) {
  Rows rows{{"joint", "inertia", "kp", "ki", "kd", "stiffness", "damping", "timeout", "then"}};
  for (const JointConfig& joint : robot.joints) {
    const JointGains& gains = joint.gains;
    rows.push_back({joint.name, number(gains.inertia), number(gains.kp), number(gains.ki),
                    number(gains.kd), number(gains.stiffness), number(gains.damping),
                    number(joint.timeout.seconds), std::string(to_string(joint.timeout.reaction))});
  }
  return table(rows, {false, true, true, true, true, true, true, true, false});
}

std::string drive_modes_of(const JointCapabilities& board) {
  std::vector<std::string> words;
  for (const DriveMode mode : kAllDriveMode) {
    if (board.drive_modes.has(mode)) words.emplace_back(to_string(mode));
  }
  return words.empty() ? "-" : joined(words, " ");
}

std::string boards_table(const remote::RobotFacts& facts) {
  Rows rows{{"board of", "bus", "cycle", "encoder step", "senses", "drive modes"}};
  for (std::size_t i = 0; i < facts.boards.size(); ++i) {
    const JointCapabilities& board = facts.boards[i];
    std::string senses = "q";
    if (board.senses_velocity) senses += " v";
    if (board.senses_torque) senses += " tau";
    const TimeNs cycle = board.cycle_ns > 0 ? board.cycle_ns : facts.config.period_ns;
    rows.push_back({board.joint, board.bus.empty() ? "-" : board.bus,
                    fmt::format("{:g} ms", 1e3 * to_seconds(cycle)),
                    number(facts.config.joints[i].board.encoder_step), senses,
                    drive_modes_of(board)});
  }
  return table(rows, {false, false, true, true, false, false});
}

std::string arms_table(const RobotConfig& robot) {
  Rows rows{{"arm", "tool", "base", "joints"}};
  const auto name = [&](JointIndex joint) { return robot.joints[joint].name; };
  for (const ArmConfig& arm : robot.arms) {
    rows.push_back({arm.name, arm.tool.empty() ? "-" : arm.tool,
                    arm.base.empty() ? "where it is mounted" : arm.base,
                    joined(arm.joints, ", ", name)});
  }
  return rows.size() == 1 ? "" : "\n" + table(rows, {false, false, false, false});
}

std::string header(const remote::RobotFacts& facts, const std::string& address,
                   const std::string& holder) {
  const RobotConfig& robot = facts.config;
  const std::string version = facts.version == kVersion
                                  ? facts.version
                                  : fmt::format("{} (this is {})", facts.version, kVersion);
  return fmt::format(
      "{}, served at {} by jointrig {} on backend {}{}\n"
      "{} joints controlled, {:g} ms a cycle{}; {}\n",
      robot.name, address, version, facts.backend,
      facts.is_real ? ", real drives" : (facts.is_on_buses ? ", virtual drives" : ""),
      robot.joints.size(), to_seconds(robot.period_ns) * 1e3,
      robot.pin_base ? ", base bolted down" : "",
      holder.empty() ? "nobody holds the lease" : holder + " holds the lease");
}

template <typename Items>
std::string line_of(const char* title, const Items& items) {
  if (items.empty()) return {};
  const auto name = [](const auto& item) { return item.name; };
  return wrapped(fmt::format("\n{}: {}", title, joined(items, ", ", name)), 100, 2);
}

}  // namespace

std::string describe_served(const remote::RobotFacts& facts, const std::string& address,
                            const std::string& holder) {
  const RobotConfig& robot = facts.config;
  std::string text = header(facts, address, holder);
  if (!robot.joints.empty()) {
    text += "\n" + limits_table(robot) + "\n" + gains_table(robot) + "\n" + boards_table(facts);
    text +=
        "\nLimits and gains are those that the robot was opened with, SI: rad and N·m of hinges, m "
        "and N of\nslides. Inertia is felt by the motor; kp, ki and kd are of STIFF, stiffness and "
        "damping of\nCOMPLIANT.\n";
  }
  text += arms_table(robot);
  text += line_of("grippers", robot.grippers);
  text += line_of("parts", robot.parts);
  text += line_of("poses", robot.poses);
  for (const std::string& note : facts.notes) text += wrapped("\n" + note, 100, 2);
  return text;
}

}  // namespace jointrig::app
