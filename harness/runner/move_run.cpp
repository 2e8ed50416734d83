#include "harness/runner/move_run.h"

#include <algorithm>
#include <cmath>

#include "harness/log/event_text.h"
#include "harness/runner/measure.h"

namespace jointrig::harness {
namespace {

bool gives_goals_up(const Event& event) {
  return event.kind == EventKind::kContact ||
         (event.kind == EventKind::kAvoidance &&
          static_cast<AvoidanceAct>(event.detail) == AvoidanceAct::kStops);
}

/// One for each target.
std::vector<double> durations_of(const std::vector<BoundTarget>& targets,
                                 const std::vector<std::pair<Text, double>>& given,
                                 const Binder& binder) {
  std::vector<double> durations;
  JointSet moved;
  for (const BoundTarget& target : targets) {
    moved.set(target.joint);
    const auto of = std::find_if(given.begin(), given.end(), [&](const auto& one) {
      return binder.joints(one.first).test(target.joint);
    });
    if (of == given.end()) {
      throw FileError(
          given.front().first.spot,
          "joint \"" + binder.config().joints[target.joint].name + "\" is given no duration");
    }
    durations.push_back(of->second);
  }
  for (const auto& [name, duration] : given) {
    if ((binder.joints(name) & moved).any()) continue;
    throw FileError(name.spot, "\"" + name.text + "\" has a duration, but no goal");
  }
  return durations;
}

}  // namespace

std::string position_text(double q, const JointConfig& joint) {
  const std::string text = shown_unit(joint.slide ? "m" : "rad").text(q);
  return joint.slide ? text : text + " (" + shown_unit("deg").text(q) + ")";
}

MoveRun::MoveRun(std::vector<BoundTarget> targets, const Pace& pace, bool wait, double timeout,
                 const Binder& binder)
    : CommandRun(wait, timeout),
      targets_(std::move(targets)),
      arrived_(targets_.size()),
      goals_(targets_.size()) {
  for (const BoundTarget& target : targets_) {
    joints_.set(target.joint);
    within_.push_back(pace.within ? binder.value(*pace.within, target.joint, kPositionUnits)
                                  : BoundValue(std::numeric_limits<double>::infinity()));
  }
  speeds_ = binder.values(pace.speed, joints_, kSpeedUnits, 0.0);
  if (pace.duration > 0.0) durations_.assign(targets_.size(), pace.duration);
  if (!pace.durations.empty()) durations_ = durations_of(targets_, pace.durations, binder);
}

void MoveRun::begin(StepScene& scene) {
  CommandRun::begin(scene);
  std::fill(arrived_.begin(), arrived_.end(), false);
  stopped_by_.reset();
}

Command MoveRun::command(std::size_t /*i*/, const StepScene& scene) const {
  TimedMove timed{joints_, {}};
  Move move{joints_, {}};
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    goals_[i] = targets_[i].value.value();
    if (!durations_.empty()) timed.values.push_back({goals_[i], durations_[i]});
    move.values.push_back({goals_[i], speeds_[i].value()});
  }
  return make_command(durations_.empty() ? Request(move) : Request(timed), scene.now());
}

bool MoveRun::arrived(const StepScene& scene) {
  constexpr double kAtGoal = 1e-6;  // rad or m, a choice: far below any encoder
  for (const Event& event : scene.events) {
    if (gives_goals_up(event)) stopped_by_ = event;
    if (event.kind != EventKind::kGoalReached) continue;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (targets_[i].joint == event.joint) arrived_[i] = true;
    }
  }
  bool all = true;
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const JointSnapshot& now = scene.snapshot->joints[targets_[i].joint];
    // A joint that was already at its goal may report nothing.
    const bool stands = !now.moving && std::abs(now.reference.q - goals_[i]) <= kAtGoal;
    all = all && (arrived_[i] || stands) && is_near(i, scene);
  }
  return all;
}

bool MoveRun::is_near(std::size_t i, const StepScene& scene) const {
  const double q = scene.snapshot->joints[targets_[i].joint].state.q;
  return std::abs(q - goals_[i]) <= within_[i].value();
}

StepProgress MoveRun::fail_late(const StepScene& scene) {
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const JointSnapshot& now = scene.snapshot->joints[targets_[i].joint];
    const bool stands = !now.moving && arrived_[i];
    if (stands && is_near(i, scene)) continue;
    const JointConfig& joint = scene.config->joints[targets_[i].joint];
    const std::string& name = joint.name;
    const std::string goal = position_text(goals_[i], joint);
    if (!stands) {
      return fail(name + " at its goal " + goal + in_timeout(),
                  "its reference at " + position_text(now.reference.q, joint) + ", " +
                      (now.moving ? "still moving" : "standing") +
                      (stopped_by_ ? "; " + sentence(*stopped_by_, *scene.config) : ""));
    }
    return fail(name + " measured within " + position_text(within_[i].value(), joint) + " of " +
                    goal + in_timeout(),
                name + ".q = " + position_text(now.state.q, joint));
  }
  return fail("every joint at its goal" + in_timeout(), "a goal reached and left again");
}

}  // namespace jointrig::harness
