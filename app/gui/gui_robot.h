#pragma once
/// A robot as a window opens it, and opens it again: from its start, at another keyframe, for a
/// scenario.

#include <memory>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "gui/panel/scenario_desk.h"
#include "harness/runner/scenario.h"

namespace jointrig::app {

struct GuiRobot {
  harness::RobotSource source;  ///< with what a scenario changes
  BackendKind backend = BackendKind::kSim;
  bool pin_base = false;
  std::optional<double> speed_override =
      std::nullopt;                                   ///< that it starts with; none: as Rig has it
  std::string keyframe;                               ///< to start from; empty: its own
  std::shared_ptr<const harness::Scenario> scenario;  ///< that it was opened for; null: none
  bool runs = false;                                  ///< the scenario begins at once
};

/// By its name or file, as find_robot() has it, simulated.
GuiRobot robot_called(const std::string& name_or_path);

/// Throws ModelError or FileError.
RobotConfig config_of(const GuiRobot& robot);
sim::PlantOptions plant_options_of(const GuiRobot& robot);

/// Named keyframes of its model. Throws ModelError.
std::vector<std::string> keyframes_of(const GuiRobot& robot);

/// The robot of a scenario; backend and base as `before`.
/// @param runs  the scenario begins at once
GuiRobot robot_for(const harness::Scenario& scenario, const GuiRobot& before, bool runs);

/// Why a scenario can't be played on a robot that runs, with its motors as they are; empty: it can.
/// @param running  its configuration, of `opened`
/// @param real     on real drives, which no setting of the physics changes
/// Throws ModelError or FileError.
std::string why_not_as_it_stands(const harness::Scenario& scenario, const GuiRobot& opened,
                                 const RobotConfig& running, bool real);

/// How a file names it: its name where that finds it, else its path.
std::string word_for(const GuiRobot& robot);

/// robot.yaml; empty: it has none.
std::string file_of(const GuiRobot& robot);

/// The same joints in the same order.
bool same_joints(const RobotConfig& a, const RobotConfig& b);

gui::ScenarioEntry entry_for(const harness::Scenario& scenario);

}  // namespace jointrig::app
