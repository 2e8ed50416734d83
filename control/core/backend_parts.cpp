#include "control/core/backend_parts.h"

#include <algorithm>
#include <tuple>

namespace jointrig {
namespace {

/// The cycle of a joint on a bus is its bus's, of which the backend sees to itself.
TimeNs cycle_of(const RobotConfig& robot, const JointConfig& joint, BackendKind kind) noexcept {
  return joint.cycle_ns > 0 && !is_on_buses(kind) ? joint.cycle_ns : robot.period_ns;
}

auto rank(const BackendPart& part) noexcept {
  return std::tuple(!is_on_buses(part.kind), part.kind, part.cycle_ns);
}

JointSet others(const RobotConfig& robot, const JointSet& joints) noexcept {
  JointSet set;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) set.set(i, !joints.test(i));
  return set;
}

}  // namespace

std::vector<BackendPart> backend_parts(const RobotConfig& robot) {
  std::vector<BackendPart> parts;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const JointConfig& joint = robot.joints[i];
    const BackendKind kind = backend_of(robot, joint);
    const TimeNs cycle = cycle_of(robot, joint, kind);
    auto part = std::find_if(parts.begin(), parts.end(), [&](const BackendPart& one) {
      return one.kind == kind && one.cycle_ns == cycle;
    });
    if (part == parts.end()) part = parts.insert(part, BackendPart{kind, cycle, {}});
    part->joints.set(i);
  }
  if (parts.empty()) parts.push_back(BackendPart{robot.backend, robot.period_ns, {}});
  std::sort(parts.begin(), parts.end(),
            [](const BackendPart& a, const BackendPart& b) { return rank(a) < rank(b); });
  return parts;
}

std::string why_not_together(const std::vector<BackendPart>& parts) {
  const auto count = [&](BackendKind kind) {
    return std::count_if(parts.begin(), parts.end(),
                         [&](const BackendPart& part) { return part.kind == kind; });
  };
  if (count(BackendKind::kHw) > 0 && count(BackendKind::kBoards) > 0) {
    return "joints on hw and on boards can't run together: a robot has one clock, and hw goes by "
           "that of the wall, boards by that of its modelled buses";
  }
  if (count(BackendKind::kSim) > 1) {
    return "joints on sim share one physics: give all of them the same cycle";
  }
  return {};
}

std::string name_of(const std::vector<BackendPart>& parts) {
  std::string words;
  for (const BackendPart& part : parts) {
    const std::string word{to_string(part.kind)};
    if (words.find(word) == std::string::npos) words += (words.empty() ? "" : "+") + word;
  }
  return words;
}

RobotConfig part_of(const RobotConfig& robot, const BackendPart& part) {
  RobotConfig own = robot;
  own.backend = part.kind;
  own.period_ns = part.cycle_ns;
  own.elsewhere = others(robot, part.joints);
  for (JointConfig& joint : own.joints) joint.backend = backend_of(robot, joint);
  return own;
}

RobotConfig part_on(const RobotConfig& robot, BackendKind kind) {
  for (const BackendPart& part : backend_parts(robot)) {
    if (part.kind == kind) return part_of(robot, part);
  }
  return robot;
}

RobotConfig as_asked(const RobotConfig& robot, std::optional<BackendKind> kind) {
  RobotConfig whole = robot;
  if (!kind) return whole;
  whole.backend = *kind;
  for (JointConfig& joint : whole.joints) {
    joint.backend.reset();
    joint.cycle_ns = 0;
  }
  return whole;
}

bool runs_on(BackendKind kind, const RobotConfig& robot, std::optional<BackendKind> asked) {
  if (asked) return *asked == kind;
  const std::vector<BackendPart> parts = backend_parts(robot);
  return std::any_of(parts.begin(), parts.end(),
                     [&](const BackendPart& part) { return part.kind == kind; });
}

}  // namespace jointrig
