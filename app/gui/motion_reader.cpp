#include "app/gui/motion_reader.h"

#include "control/exchange/robot_client.h"
#include "harness/runner/arm_command.h"
#include "harness/runner/signals.h"

namespace jointrig::app {
namespace {

using harness::FileError;

[[noreturn]] void refuse(const harness::SourceSpot& spot, const std::string& what) {
  throw FileError(spot, what + ": the Motion tab has no place for it; the Scenario tab runs it");
}

void refuse_if(bool is_there, const harness::SourceSpot& spot, const char* key) {
  if (is_there) refuse(spot, "\"" + std::string(key) + "\"");
}

double fixed(const harness::BoundValue& value, const harness::SourceSpot& spot) {
  if (!value.is_fixed()) throw FileError(spot, "a waypoint of the Motion tab has plain numbers");
  return value.value();
}

/// Keys of a trajectory without a place in a list.
void refuse_others(const harness::TrajectoryStep& trajectory, const harness::SourceSpot& spot) {
  constexpr double kUsualSettling = 1.0;
  refuse_if(trajectory.frame != ToolFrame::kBase, spot, "frame");
  refuse_if(trajectory.endpoint.has_value(), spot, "endpoint");
  refuse_if(trajectory.free_rotation != FreeRotation::kNone, spot, "free_rotation");
  refuse_if(trajectory.motion.linear_acceleration.has_value(), spot, "linear_acceleration");
  refuse_if(trajectory.motion.rotational_acceleration.has_value(), spot, "rotational_acceleration");
  refuse_if(!trajectory.path_tolerance.empty(), spot, "path_tolerance");
  refuse_if(trajectory.settling_time != kUsualSettling, spot, "settling_time");
  refuse_if(trajectory.replace, spot, "replace");
  refuse_if(!trajectory.interaction.empty(), spot, "interaction");
}

void refuse_others(const harness::TrajectoryPoint& point, const harness::SourceSpot& spot) {
  refuse_if(point.time.has_value(), spot, "time");
  refuse_if(point.acceleration.has_value(), spot, "acceleration of a waypoint");
  refuse_if(!point.tolerance.empty(), spot, "tolerance of a waypoint");
  refuse_if(!point.max_acceleration.empty(), spot, "max_acceleration");
  if (!point.tool) return;
  refuse_if(!(point.tool->motion == harness::ToolMotion{}), spot, "speed of a tool at a waypoint");
  refuse_if(!point.tool->by.empty(), spot, "by");
  refuse_if(!point.tool->turn.empty(), spot, "turn");
}

}  // namespace

void MotionReader::take(const harness::Step& step) {
  if (const auto* trajectory = std::get_if<harness::TrajectoryStep>(&step.what)) {
    if (list_) throw FileError(step.spot, "a second trajectory; the Motion tab has one");
    list_ = read(step, *trajectory);
    return;
  }
  const auto* wait = std::get_if<harness::WaitStep>(&step.what);
  if (wait != nullptr && !wait->until && !wait->event) return;
  refuse(step.spot, "a step beside the trajectory");
}

gui::MotionList MotionReader::list(const harness::Scenario& scenario) const {
  if (!list_) {
    throw std::runtime_error(scenario.file.generic_string() +
                             ": it has no step \"trajectory\" for the Motion tab");
  }
  gui::MotionList named = *list_;
  named.name = scenario.name;
  return named;
}

double MotionReader::number(const harness::Text& text, std::string_view unit) const {
  return fixed(binder_.value(text, 0, unit), text.spot);
}

std::vector<std::optional<double>> MotionReader::joints(
    const std::vector<harness::Target>& targets) const {
  std::vector<std::optional<double>> q(config_->joints.size());
  for (const harness::BoundTarget& target : binder_.targets(targets, harness::kPositionUnits)) {
    q[target.joint] = fixed(target.value, targets.front().value.spot);
  }
  return q;
}

gui::MotionList MotionReader::read(const harness::Step& step,
                                   const harness::TrajectoryStep& trajectory) const {
  refuse_others(trajectory, step.spot);
  gui::MotionList list;
  list.speed = list.acceleration = 1.0;  // of a trajectory that says nothing
  if (trajectory.arm) list.arm = harness::arm_named(*trajectory.arm, *config_);
  read_options(trajectory, list);
  for (const harness::TrajectoryPoint& point : trajectory.waypoints) {
    list.waypoints.push_back(read(point, list, step.spot));
  }
  return list;
}

void MotionReader::read_options(const harness::TrajectoryStep& trajectory,
                                gui::MotionList& list) const {
  const harness::ToolMotion& tool = trajectory.motion;
  if (trajectory.speed) list.speed = number(*trajectory.speed, "1");
  if (trajectory.acceleration) list.acceleration = number(*trajectory.acceleration, "1");
  if (tool.corner_distance) list.corner_distance = number(*tool.corner_distance, "m");
  if (tool.linear_speed) list.linear_speed = number(*tool.linear_speed, "m/s");
  if (tool.rotational_speed) list.rotational_speed = number(*tool.rotational_speed, "rad/s");
  list.checks_collisions = trajectory.checks_collisions;
  list.execution = trajectory.execution;
  read_tolerance(trajectory.goal_tolerance, list);
}

/// One for all hinges, and one for all slides, as far as they are given.
void MotionReader::read_tolerance(const std::vector<harness::Target>& targets,
                                  gui::MotionList& list) const {
  for (const harness::BoundTarget& target : binder_.targets(targets, harness::kPositionUnits)) {
    const harness::SourceSpot& spot = targets.front().name.spot;
    double& all = list.goal_tolerance[config_->joints[target.joint].slide ? 1 : 0];
    const double one = fixed(target.value, spot);
    if (all != 0.0 && one != all) refuse(spot, "a goal tolerance of its own for a joint");
    all = one;
  }
}

gui::MotionWaypoint MotionReader::read(const harness::TrajectoryPoint& point,
                                       const gui::MotionList& list,
                                       const harness::SourceSpot& spot) const {
  refuse_others(point, spot);
  gui::MotionWaypoint waypoint;
  waypoint.label = point.label;
  if (point.speed) waypoint.speed = number(*point.speed, "1");
  if (point.tool) {
    read_pose(*point.tool, list, spot, waypoint);
    return waypoint;
  }
  if (!point.pose) {
    waypoint.q = joints(point.targets);
    return waypoint;
  }
  try {
    waypoint.q = pose_named(*config_, point.pose->text).q;
  } catch (const UnknownName& error) {
    throw FileError(point.pose->spot, error.what());
  }
  waypoint.q.resize(config_->joints.size());
  return waypoint;
}

/// A key that is absent keeps the value of the waypoint before.
void MotionReader::read_pose(const harness::TrajectoryPose& pose, const gui::MotionList& list,
                             const harness::SourceSpot& spot, gui::MotionWaypoint& waypoint) const {
  const bool is_whole = !pose.position.empty() && !pose.orientation.empty();
  if (!is_whole && list.waypoints.empty()) {
    throw FileError(spot, "the first waypoint wants \"position\" and \"orientation\" here");
  }
  waypoint.tool = list.waypoints.empty() ? ToolPose{} : *list.waypoints.back().tool;
  for (std::size_t i = 0; i < pose.position.size(); ++i) {
    waypoint.tool->position.at(i) = number(pose.position[i], "m");
  }
  for (std::size_t i = 0; i < pose.orientation.size(); ++i) {
    waypoint.tool->orientation.at(i) = number(pose.orientation[i], "1");
  }
  if (!pose.posture.empty()) waypoint.q = joints(pose.posture);
}

}  // namespace jointrig::app
