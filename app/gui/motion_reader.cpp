#include "app/gui/motion_reader.h"

#include "control/exchange/robot_client.h"
#include "harness/runner/arm_command.h"
#include "harness/runner/signals.h"
#include "harness/runner/trajectory_command.h"

namespace jointrig::app {
namespace {

using harness::FileError;

[[noreturn]] void refuse(const harness::SourceSpot& spot, const std::string& what) {
  throw FileError(spot, what + ": the Motion tab has no place for it; the Scenario tab runs it");
}

double fixed(const harness::BoundValue& value, const harness::SourceSpot& spot) {
  if (!value.is_fixed()) {
    refuse(spot, "a number that is computed while the scenario runs");
  }
  return value.value();
}

}  // namespace

void MotionReader::take(const harness::Step& step) {
  if (const auto* trajectory = std::get_if<harness::TrajectoryStep>(&step.what)) {
    if (list_) throw FileError(step.spot, "a second trajectory; the Motion tab has one");
    list_ = read(*trajectory);
    return;
  }
  if (std::holds_alternative<harness::WaitStep>(step.what)) return;
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

std::optional<double> MotionReader::number(const std::optional<harness::Text>& text,
                                           std::string_view unit) const {
  return text ? std::optional(number(*text, unit)) : std::nullopt;
}

template <std::size_t n>
std::optional<std::array<double, n>> MotionReader::numbers(const std::vector<harness::Text>& texts,
                                                           std::string_view unit) const {
  if (texts.size() != n) return std::nullopt;  // the schema has counted them: there are none
  std::array<double, n> values{};
  for (std::size_t i = 0; i < n; ++i) values[i] = number(texts[i], unit);
  return values;
}

gui::JointNumbers MotionReader::joints(const std::vector<harness::Target>& targets,
                                       std::string_view units) const {
  if (targets.empty()) return {};
  gui::JointNumbers numbers(config_->joints.size());
  for (const harness::BoundTarget& target : binder_.targets(targets, units)) {
    numbers[target.joint] = fixed(target.value, targets.front().value.spot);
  }
  return numbers;
}

gui::MotionList MotionReader::read(const harness::TrajectoryStep& trajectory) const {
  gui::MotionList list;
  list.speed = list.acceleration = 1.0;  // of a trajectory that says nothing
  if (trajectory.arm) list.arm = harness::arm_named(*trajectory.arm, *config_);
  read_options(trajectory, list);
  for (const harness::TrajectoryPoint& point : trajectory.waypoints) {
    list.waypoints.push_back(read(point));
  }
  const auto control = [&](const std::vector<harness::ArmSetting>& given) {
    return given.empty() ? std::nullopt
                         : std::optional(interaction(trajectory, given.front(), list));
  };
  list.interaction = control(trajectory.interaction);
  for (std::size_t i = 0; i < list.waypoints.size(); ++i) {
    list.waypoints[i].interaction = control(trajectory.waypoints[i].interaction);
  }
  return list;
}

void MotionReader::read_options(const harness::TrajectoryStep& trajectory,
                                gui::MotionList& list) const {
  if (trajectory.speed) list.speed = number(*trajectory.speed, "1");
  if (trajectory.acceleration) list.acceleration = number(*trajectory.acceleration, "1");
  list.rounds_corners = trajectory.rounds_corners;
  list.brakes_behind = trajectory.brakes_behind;
  list.checks_collisions = trajectory.checks_collisions;
  list.execution = trajectory.execution;
  list.path_tolerance = joints(trajectory.path_tolerance, harness::kPositionUnits);
  list.goal_tolerance = joints(trajectory.goal_tolerance, harness::kPositionUnits);
  list.settling_time = trajectory.settling_time;
  list.frame = trajectory.frame;
  if (trajectory.endpoint) list.endpoint = trajectory.endpoint->text;
  list.bounds = read(trajectory.motion);
  list.free_rotation = trajectory.free_rotation;
  list.replaces = trajectory.replace;
  list.waits = trajectory.wait;
  list.timeout = trajectory.timeout;
}

SetInteractionControl MotionReader::interaction(const harness::TrajectoryStep& trajectory,
                                                const harness::ArmSetting& setting,
                                                const gui::MotionList& list) const {
  const ArmIndex arm =
      harness::arm_of_interaction(trajectory, setting, gui::joints_of(list, *config_), *config_);
  const harness::BoundArmCommand command(setting, arm, binder_);
  if (!command.is_fixed()) {
    refuse(setting.numbers.front().spot, "a number that is computed while the scenario runs");
  }
  return std::get<SetInteractionControl>(command.make(0).request);
}

gui::MotionWaypoint MotionReader::read(const harness::TrajectoryPoint& point) const {
  using harness::joint_units;
  gui::MotionWaypoint waypoint;
  waypoint.label = point.label;
  waypoint.speed = number(point.speed, "1");
  waypoint.acceleration = number(point.acceleration, "1");
  waypoint.time = point.time;
  waypoint.v = joints(point.velocities, harness::kSpeedUnits);
  waypoint.a = joints(point.accelerations, joint_units(QuantityKind::kAcceleration));
  waypoint.tolerance = joints(point.tolerance, harness::kPositionUnits);
  waypoint.a_max = joints(point.max_acceleration, joint_units(QuantityKind::kAcceleration));
  if (point.tool) {
    waypoint.tool = read(*point.tool);
    waypoint.q = joints(point.tool->posture, harness::kPositionUnits);
    return waypoint;
  }
  if (!point.pose) {
    waypoint.q = joints(point.targets, harness::kPositionUnits);
    return waypoint;
  }
  try {
    waypoint.q = pose_named(*config_, point.pose->text).q;
    waypoint.q.resize(config_->joints.size());
    waypoint.pose = point.pose->text;
  } catch (const UnknownName& error) {
    throw FileError(point.pose->spot, error.what());
  }
  return waypoint;
}

gui::MotionPose MotionReader::read(const harness::TrajectoryPose& pose) const {
  return {numbers<3>(pose.position, "m"), numbers<3>(pose.by, "m"),
          numbers<4>(pose.orientation, "1"), numbers<3>(pose.turn, "rad"), read(pose.motion)};
}

gui::MotionBounds MotionReader::read(const harness::ToolMotion& motion) const {
  return {number(motion.linear_speed, "m/s"), number(motion.linear_acceleration, "m/s^2"),
          number(motion.rotational_speed, "rad/s"),
          number(motion.rotational_acceleration, "rad/s^2"), number(motion.corner_distance, "m")};
}

}  // namespace jointrig::app
