#include "app/gui/gain_margins.h"

#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "control/stack/gain_margin.h"

namespace jointrig::app {
namespace {

using MaybeSetups = std::vector<std::optional<JointSetup>>;

gui::ParameterDesk::MarginOf margins_by(MaybeSetups setups, int delay_cycles) {
  return [setups = std::move(setups), delay_cycles](JointIndex joint, const JointConfig& now,
                                                    JointParameter parameter, double most) {
    if (joint >= setups.size() || !setups[joint]) return std::numeric_limits<double>::infinity();
    JointSetup setup = *setups[joint];
    setup.config = now;
    return gain_margin(setup, parameter, most, delay_cycles);
  };
}

}  // namespace

gui::ParameterDesk::MarginOf margins_of(std::vector<JointSetup> setups, int delay_cycles) {
  return margins_by(MaybeSetups(setups.begin(), setups.end()), delay_cycles);
}

gui::ParameterDesk::MarginOf margins_of(const remote::RobotFacts& robot) {
  const RobotConfig& config = robot.config;
  MaybeSetups setups(config.joints.size());
  for (std::size_t i = 0; i < setups.size() && i < robot.boards.size(); ++i) {
    try {
      setups[i] = make_setup(config.joints[i], robot.boards[i], to_seconds(config.period_ns),
                             config.delay_cycles);
    } catch (const std::invalid_argument&) {
      continue;  // its server drives a joint that this version can't
    }
  }
  return margins_by(std::move(setups), config.delay_cycles);
}

}  // namespace jointrig::app
