// Step that follows a trajectory.

#include <fmt/core.h>

#include "control/core/plan.h"
#include "harness/log/event_text.h"
#include "harness/runner/arm_command.h"
#include "harness/runner/command_run.h"
#include "harness/runner/command_steps.h"
#include "harness/runner/plan_desk.h"
#include "harness/runner/trajectory_command.h"

namespace jointrig::harness {
namespace {

class TrajectoryRun final : public CommandRun {
 public:
  TrajectoryRun(const TrajectoryStep& step, BoundTrajectory trajectory, const Binder& binder)
      : CommandRun(step.wait, step.timeout), trajectory_(std::move(trajectory)) {
    for (const ArmSetting& setting : step.interaction) {
      settings_.emplace_back(
          setting, arm_of_interaction(step, setting, trajectory_.joints(), binder.config()),
          binder);
    }
    set_count(settings_.size() + 1);
  }

  void begin(StepScene& scene) override {
    CommandRun::begin(scene);
    finished_ = false;
    broken_.reset();
    plan_.reset();
    trajectory_.forget();
  }

  void leave(StepScene& /*scene*/) override { trajectory_.forget(); }

  StepProgress poll(StepScene& scene) override {
    const StepProgress progress = CommandRun::poll(scene);
    if (progress == StepProgress::kFailed) trajectory_.forget();
    if (progress == StepProgress::kFailed && !is_accepted(scene) && plan_ &&
        !plan_->remark.empty()) {
      return fail(expected(), got() + " (" + plan_->remark + ")");
    }
    if (progress != StepProgress::kRunning || !broken_) return progress;
    return fail("the trajectory finished", sentence(*broken_, *scene.config, kSender));
  }

 private:
  bool prepare(const StepScene& scene) override {
    if (!plan_) plan_ = trajectory_.make(scene);
    return plan_.has_value();
  }

  StepProgress fail_unprepared() override {
    return fail("the trajectory finished" + in_timeout(), "it was still being planned");
  }

  /// Settings go first, then the plan.
  Command command(std::size_t i, const StepScene& scene) const override {
    if (i < settings_.size()) return settings_[i].make(scene.now());
    return make_command(plan_->command, scene.now());
  }

  [[nodiscard]] bool is_accepted(const StepScene& scene) const {
    const std::uint64_t number = number_of(settings_.size());
    return number != 0 && scene.link->state(number) != CommandLink::State::kRejected;
  }

  bool arrived(const StepScene& scene) override {
    for (const Event& event : scene.events) {
      const bool is_its =
          (event.kind == EventKind::kPlan || event.kind == EventKind::kPlanBroken) &&
          event.sender == scene.link->sender() && event.number == number_of(settings_.size());
      if (!is_its) continue;
      const auto change = static_cast<PlanChange>(event.detail);
      const bool goes_on = change == PlanChange::kStarted || change == PlanChange::kWaypoint;
      if (change == PlanChange::kFinished) finished_ = true;
      if (!goes_on && !finished_ && !broken_) broken_ = event;
    }
    return finished_;
  }

  StepProgress fail_late(const StepScene& scene) override {
    for (const PlanSnapshot& now : scene.snapshot->plans) {
      if (now.joints != trajectory_.joints()) continue;
      return fail("the trajectory finished" + in_timeout(),
                  fmt::format("at {} of {}, waypoint {} of {}", seconds_text(now.time),
                              seconds_text(now.duration), trajectory_.name_of(now.waypoint),
                              now.waypoints));
    }
    return fail("the trajectory finished" + in_timeout(), "no trajectory is followed");
  }

  BoundTrajectory trajectory_;
  std::vector<BoundArmCommand> settings_;      ///< interaction control
  std::optional<BoundTrajectory::Made> plan_;  ///< absent: it is being made
  bool finished_ = false;
  std::optional<Event> broken_;
};

}  // namespace

std::unique_ptr<StepRun> make_command_step(const TrajectoryStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  BoundTrajectory trajectory(step, binder);
  needs.commanded |= trajectory.joints();
  return std::make_unique<TrajectoryRun>(step, std::move(trajectory), binder);
}

}  // namespace jointrig::harness
