#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/remote_loop.h"
#include "control/planning/kinematic_tree.h"
#include "gui/panel/motion_planning.h"

namespace jointrig::app {

/// Plans for a panel whose robot is served elsewhere: made, checked and kept by that program for
/// who holds the lease. Lines are drawn by the model that this machine has of the robot, if it has
/// one.
///
/// One thread: the window's. No call waits for the network.
class RemoteMotionPlanner final : public gui::MotionPlanning {
 public:
  /// @param loop  outlives the planner
  /// @param own   the robot as this machine has it, with the same joints; none: no lines
  /// Throws ModelError.
  RemoteMotionPlanner(RemoteLoop& loop, const std::optional<RobotConfig>& own);

  [[nodiscard]] std::string why_not() const override;
  void ask(const gui::MotionList& list, const RobotConfig& config, const Snapshot& now,
           bool goes_on) override;
  void ask_marks(const gui::MotionList& list, const RobotConfig& config,
                 const Snapshot& now) override;
  [[nodiscard]] std::optional<std::vector<gui::MotionLine>> take_marks() override;
  /// Never: the server doesn't tell.
  [[nodiscard]] std::optional<double> progress() const override { return std::nullopt; }
  void cancel() override;
  [[nodiscard]] std::optional<gui::MotionAnswer> take() override;
  [[nodiscard]] std::optional<FollowPlan> hand_over() override;

 private:
  /// The plan under way: the call ends before its connection.
  struct Pending {
    std::shared_ptr<remote::Connection> at;
    std::unique_ptr<remote::PlanCall> call;
    gui::MotionList list;
    Snapshot now;
  };
  [[nodiscard]] gui::MotionAnswer refused(std::string why) const;

  RemoteLoop* loop_;
  std::optional<RobotConfig> own_;
  std::optional<KinematicTree> tree_;
  std::optional<Pending> pending_;
  std::shared_ptr<remote::Connection> planned_at_;  ///< where plan_ is
  std::optional<FollowPlan> plan_;                  ///< passed, and waits to be followed
  std::optional<std::vector<gui::MotionLine>> marks_;
};

}  // namespace jointrig::app
