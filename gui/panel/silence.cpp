#include "gui/panel/silence.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gui/panel/fault_text.h"

namespace jointrig::gui {
namespace {

struct OnBus {
  std::vector<JointIndex> silent;
  std::size_t boards = 0;
};

std::string names_of(const std::vector<JointIndex>& joints,
                     const std::vector<JointCapabilities>& boards) {
  std::string names;
  for (const JointIndex joint : joints) {
    names += (names.empty() ? "" : ", ") + boards[joint].joint;
  }
  return names;
}

std::string title_of(const OnBus& on, const std::string& bus,
                     const std::vector<JointCapabilities>& boards) {
  const std::string where = bus.empty() ? "" : " on bus " + bus;
  const std::size_t count = on.silent.size();
  if (count > 1 && count == on.boards) {
    return fmt::format("{} boards silent: all{}", count, where);
  }
  if (count == 1) return "1 board silent" + where + ": " + names_of(on.silent, boards);
  return fmt::format("{} of {} boards silent{}: {}", count, on.boards, where,
                     names_of(on.silent, boards));
}

}  // namespace

void Silence::see(const JointSnapshot& joint, TimeNs now_ns, TimeNs period_ns) {
  const bool unset = joint.mode == JointMode::kNotConfigured;
  const bool goes_on = lasts_ && joint.state.missed > 0;
  const bool lasts = unset || joint.state.missed >= kSilentFrom || goes_on;
  if (lasts && !lasts_) since_ns_ = now_ns - joint.state.missed * period_ns;
  lasts_ = lasts;
}

std::vector<SilentGroup> group_silent(const std::vector<Silence>& joints,
                                      const std::vector<JointCapabilities>& boards) {
  std::map<std::string, OnBus> buses;
  OnBus robot;
  for (std::size_t i = 0; i < std::min(joints.size(), boards.size()); ++i) {
    for (OnBus* on : {&buses[boards[i].bus], &robot}) {
      ++on->boards;
      if (joints[i].lasts()) on->silent.push_back(static_cast<JointIndex>(i));
    }
  }
  const auto group = [&](const OnBus& on, const std::string& title) {
    const bool all = on.silent.size() > 1 && on.silent.size() == on.boards;
    SilentGroup made{
        .title = title,
        .likely = std::string(likely_causes(all ? FaultCode::kBusLost : FaultCode::kBoardLost)),
        .joints = on.silent,
        .since_ns = joints[on.silent.front()].since_ns()};
    for (const JointIndex joint : on.silent) {
      made.since_ns = std::min(made.since_ns, joints[joint].since_ns());
    }
    return made;
  };
  // A cause of all buses together: a supply, an adapter with several lines, the boards' process.
  if (buses.size() > 1 && robot.silent.size() == robot.boards) {
    return {group(robot,
                  fmt::format("{} boards silent: all, on {} buses", robot.boards, buses.size()))};
  }
  std::vector<SilentGroup> groups;
  for (const auto& [bus, on] : buses) {
    if (!on.silent.empty()) groups.push_back(group(on, title_of(on, bus, boards)));
  }
  return groups;
}

std::string silent_for_text(double seconds) {
  if (seconds < 1.0) return fmt::format("for {:.0f} ms", 100.0 * std::floor(10.0 * seconds));
  return fmt::format("for {:.0f} s", std::floor(seconds));
}

}  // namespace jointrig::gui
