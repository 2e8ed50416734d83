#include "remote/ros2_diagnostics.h"

#include <fmt/core.h>

#include <algorithm>

#include "control/core/faults.h"

namespace jointrig::remote {
namespace {

using Level = DiagnosticStatus::Level;

std::string acting(const LimitNotices& limits) {
  std::string words;
  for (const Limit limit : kAllLimit) {
    if (limits.has(limit)) words += (words.empty() ? "" : ", ") + std::string(to_string(limit));
  }
  return words;
}

std::string fault_sentence(const Fault& fault) {
  const std::string_view unit = unit_of(fault.code);
  return fmt::format("{}: {:.4g} {} (limit {:.4g}); force_idle is the way out",
                     describe(fault.code), fault.value, unit, fault.limit);
}

DiagnosticStatus status_of(const RobotConfig& robot, const JointConfig& config,
                           const JointSnapshot& joint) {
  const std::string limits = acting(joint.limits);
  DiagnosticStatus status;
  status.name = robot.name + ": " + config.name;
  status.hardware_id = robot.name;
  status.values = {{"mode", std::string(to_string(joint.mode))},
                   {"interaction", std::string(to_string(joint.interaction))},
                   {"fault", std::string(to_string(joint.fault.code))},
                   {"limits", limits}};
  if (joint.fault) {
    status.level = Level::kError;
    status.message = fault_sentence(joint.fault);
  } else if (joint.timed_out) {
    status.level = Level::kWarning;
    status.message = "the stream of its commands fell silent";
  } else if (!limits.empty()) {
    status.level = Level::kWarning;
    status.message = "limited by " + limits;
  } else {
    status.message = to_string(joint.mode);
  }
  return status;
}

DiagnosticStatus status_of(const RobotConfig& robot, const Ros2Report& report) {
  DiagnosticStatus status;
  status.name = robot.name + ": commands";
  status.hardware_id = robot.name;
  status.level = report.last_refusal.empty() ? Level::kOk : Level::kWarning;
  status.message =
      report.last_refusal.empty()
          ? report.holder.empty() ? "the lease is free" : report.holder + " holds the lease"
          : report.last_refusal;
  status.values = {{"holder", report.holder}, {"refused", std::to_string(report.refused)}};
  return status;
}

}  // namespace

std::vector<DiagnosticStatus> diagnostics_of(const RobotConfig& robot, const Snapshot& now,
                                             const Ros2Report& report) {
  std::vector<DiagnosticStatus> all;
  for (std::size_t i = 0; i < std::min(robot.joints.size(), now.joints.size()); ++i) {
    all.push_back(status_of(robot, robot.joints[i], now.joints[i]));
  }
  all.push_back(status_of(robot, report));
  return all;
}

}  // namespace jointrig::remote
