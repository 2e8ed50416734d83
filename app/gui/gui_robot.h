#pragma once
/// A robot for a window, which can open it again: from its start, at another keyframe, for a
/// scenario.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/gui_options.h"
#include "app/rig/rig.h"
#include "gui/panel/scenario_desk.h"
#include "harness/runner/scenario.h"

namespace jointrig::app {

struct GuiRobot {
  harness::RobotSource source;                        ///< with the scenario's changes
  std::optional<BackendKind> backend = std::nullopt;  ///< of all; none: as its file says
  bool pin_base = false;
  bool motors = false;                    ///< a motor at each joint without an actuator
  std::vector<std::string> package_path;  ///< of a URDF's meshes; empty: robot.yaml's
  std::optional<double> speed_override = std::nullopt;  ///< initial factor; none: as Rig sets it
  std::string keyframe;                                 ///< start keyframe; empty: its own
  std::shared_ptr<const harness::Scenario> scenario;    ///< that it was opened for; null: none
  bool runs = false;                                    ///< the scenario begins at once
};

/// A simulated robot, by its name or file as in find_robot().
GuiRobot robot_called(const std::string& name_or_path);

/// A robot by its name or file, or the robot of a scenario with the scenario's settings; and over
/// these the settings of the options. Throws ModelError or FileError.
GuiRobot robot_of(const GuiOptions& options);

/// Throws ModelError or FileError.
RobotConfig config_of(const GuiRobot& robot);
sim::PlantOptions plant_options_of(const GuiRobot& robot);

/// Named keyframes of its model. Throws ModelError.
std::vector<std::string> keyframes_of(const GuiRobot& robot);

/// The robot of a scenario; backend and base as in `before`.
/// @param runs  the scenario begins at once
GuiRobot robot_for(const harness::Scenario& scenario, const GuiRobot& before, bool runs);

/// Reason why a scenario can't be played on a running robot without a restart; empty: it can.
/// @param running  configuration of `opened`
/// @param real     true: real drives, where settings of the physics have no effect
/// Throws ModelError or FileError.
std::string why_not_as_it_stands(const harness::Scenario& scenario, const GuiRobot& opened,
                                 const RobotConfig& running, bool real);

/// Text for a file: its name if the name finds it, else its path.
std::string word_for(const GuiRobot& robot);

/// robot.yaml; empty: none.
std::string file_of(const GuiRobot& robot);

/// True for the same joints in the same order.
bool same_joints(const RobotConfig& a, const RobotConfig& b);

/// This machine's robot by the name of another one, if its joints are the same; else none.
/// Throws ModelError or FileError.
std::optional<RobotConfig> own_robot_like(const RobotConfig& other);

gui::ScenarioEntry entry_for(const harness::Scenario& scenario);

}  // namespace jointrig::app
