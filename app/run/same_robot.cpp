#include "app/run/same_robot.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/version.h"
#include "control/core/text.h"

namespace jointrig::app {
namespace {

/// The first name that differs, in words; empty: none does.
template <typename List>
std::string other_name(const List& here, const List& there, const char* what) {
  for (std::size_t i = 0; i < std::min(here.size(), there.size()); ++i) {
    if (here[i].name == there[i].name) continue;
    return fmt::format("{} {} is \"{}\" here and \"{}\" there", what, i + 1, here[i].name,
                       there[i].name);
  }
  if (here.size() == there.size()) return {};
  return fmt::format("it has {} {}s here and {} there", here.size(), what, there.size());
}

struct Compared {
  const char* name;
  double here;
  double there;
};

std::string other_numbers(const JointConfig& here, const JointConfig& there) {
  const std::array numbers{
      Compared{"q_min", here.limits.q_min, there.limits.q_min},
      Compared{"q_max", here.limits.q_max, there.limits.q_max},
      Compared{"soft_margin", here.limits.soft_margin, there.limits.soft_margin},
      Compared{"v_max", here.limits.v_max, there.limits.v_max},
      Compared{"a_max", here.limits.a_max, there.limits.a_max},
      Compared{"tau_max", here.limits.tau_max, there.limits.tau_max},
      Compared{"tau_rate_max", here.limits.tau_rate_max, there.limits.tau_rate_max},
      Compared{"step_max", here.limits.step_max, there.limits.step_max},
      Compared{"inertia", here.gains.inertia, there.gains.inertia},
      Compared{"kp", here.gains.kp, there.gains.kp},
      Compared{"ki", here.gains.ki, there.gains.ki},
      Compared{"kd", here.gains.kd, there.gains.kd},
      Compared{"bandwidth_hz", here.gains.bandwidth_hz, there.gains.bandwidth_hz},
      Compared{"damping_ratio", here.gains.damping_ratio, there.gains.damping_ratio}};
  std::string words;
  for (const Compared& one : numbers) {
    if (one.here == one.there) continue;
    words += fmt::format("{}{} is {:g} there and {:g} here", words.empty() ? "" : ", ", one.name,
                         one.there, one.here);
  }
  return words;
}

}  // namespace

std::string why_not_served(const harness::Scenario& scenario) {
  if (scenario.config.is_null()) return {};
  return "it changes its robot's settings, and those of a robot that is served are in force "
         "already";
}

std::string why_another_robot(const RobotConfig& here, const remote::RobotFacts& facts) {
  const RobotConfig& there = facts.config;
  if (here.name != there.name) {
    return fmt::format("{} is meant here, and {} is served there", here.name, there.name);
  }
  if (here.period_ns != there.period_ns) {
    return fmt::format("a cycle of {} is {:g} ms here and {:g} ms there", here.name,
                       1e3 * to_seconds(here.period_ns), 1e3 * to_seconds(there.period_ns));
  }
  for (const std::string& difference :
       {other_name(here.joints, there.joints, "joint"), other_name(here.arms, there.arms, "arm"),
        other_name(here.grippers, there.grippers, "gripper")}) {
    if (!difference.empty()) return here.name + " is another robot there: " + difference;
  }
  return {};
}

std::vector<std::string> other_settings(const RobotConfig& here, const remote::RobotFacts& there) {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < here.joints.size(); ++i) {
    const std::string words = other_numbers(here.joints[i], there.config.joints[i]);
    if (!words.empty()) sentences.push_back(here.joints[i].name + ": " + words);
  }
  return sentences;
}

void refuse_another(const RobotConfig& here, const remote::RobotFacts& there) {
  const std::string other = why_another_robot(here, there);
  if (!other.empty()) throw std::invalid_argument(other);
  const std::vector<std::string> settings = other_settings(here, there);
  if (settings.empty()) return;
  throw std::invalid_argument(here.name + " is served with other settings than it has here: " +
                              joined(settings, "; ") + ": give by --set what it is served with");
}

void refuse_other_version(const remote::RobotFacts& there, const std::string& address) {
  if (there.version == kVersion) return;
  throw std::runtime_error(address + " is served by jointrig " + there.version + ", and this is " +
                           std::string(kVersion) +
                           ": who judges a robot and its server need the same version");
}

}  // namespace jointrig::app
