#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/planner/planner.h"
#include "control/stack/stack.h"
#include "gui/panel/motion_planning.h"
#include "harness/runner/plan_desk.h"

namespace jointrig::app {

/// Plans for the panel on a thread of its own, by the planners and checks of a scenario's
/// trajectories. One thread calls it: the window's.
class MotionPlanner final : public gui::MotionPlanning {
 public:
  /// @param stack  outlives the planner
  explicit MotionPlanner(Stack& stack);
  ~MotionPlanner() override;

  void ask(const gui::MotionList& list, const RobotConfig& config, const Snapshot& now,
           bool goes_on) override;
  void ask_marks(const gui::MotionList& list, const RobotConfig& config,
                 const Snapshot& now) override;
  [[nodiscard]] std::optional<std::vector<gui::MotionLine>> take_marks() override;
  [[nodiscard]] std::optional<double> progress() const override;
  void cancel() override;
  [[nodiscard]] std::optional<gui::MotionAnswer> take() override;
  [[nodiscard]] std::optional<FollowPlan> hand_over() override;

 private:
  struct Work;     ///< what a plan is made from
  struct Workers;  ///< models for it, on the planner's thread alone

  Stack* stack_;
  harness::PlanDesk desk_;
  std::shared_ptr<Workers> workers_;
  std::shared_ptr<Work> work_;     ///< of the job, or of the plan that waits
  std::optional<JointPlan> plan_;  ///< passed, and waits to be handed over
  Planner::Job job_;               ///< that is not taken
  std::shared_ptr<Work> marks_;    ///< what marks were asked for
  Planner::Job marks_job_;         ///< that is not taken
  Planner planner_;                ///< last: its thread uses the others
};

}  // namespace jointrig::app
