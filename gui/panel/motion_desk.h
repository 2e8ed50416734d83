#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/panel/motion_planning.h"
#include "gui/panel/motion_table.h"
#include "gui/panel/sequence_desk.h"

namespace jointrig::gui {

/// State of the list in the table.
///
///     unplanned   not planned, or changed since
///     planning    on the planner's thread
///     passed      may be run, while the robot is where the plan begins
///     refused     MotionDesk::answer() tells why, and on the way to which waypoint
///     used        its plan was handed over: planned again it may be run again
#define JOINTRIG_MOTION_STATES(X) \
  X(kUnplanned, "not planned")    \
  X(kPlanning, "planning")        \
  X(kPassed, "passed")            \
  X(kRefused, "refused")          \
  X(kUsed, "used")
JOINTRIG_ENUM(MotionState, JOINTRIG_MOTION_STATES)

/// Plans a list of waypoints, and has it followed: the loop's own trajectories (docs/motion.md).
///
/// Planning moves nothing, and needs no rights but those of MotionPlanning::why_not(). A plan that
/// passed all checks is followed from ARMED, and with interaction control of its own that is set
/// just before; STOP, OFF and the end of ARMED stop its joints, which slow down along the path.
/// While it is followed a list of joints may be planned again: what passes goes on from it without
/// a stop.
///
/// One thread: the window's.
class MotionDesk final : public Autopilot {
 public:
  /// Distance between a plan's start and the references that counts as none [rad or m]: that of the
  /// loop.
  static constexpr double kAtStart = 1e-6;
  /// Likewise between it and the joints themselves in mode cartesian, where a spring leads the tool
  /// onto the path [rad or m]: that of the loop.
  static constexpr double kNearStart = 0.1;

  explicit MotionDesk(MotorPanel& panel) : table(panel), panel_(&panel) { panel.add(*this); }

  /// @param planning  outlives the desk; null: there is nobody who plans
  void attach(MotionPlanning* planning) noexcept { planning_ = planning; }

  MotionTable table;

  // Planning.

  [[nodiscard]] MotionState state() const;
  /// Share of the work that is done; absent: nothing is being planned, or nobody tells.
  [[nodiscard]] std::optional<double> progress() const;
  [[nodiscard]] std::string why_not_plan() const;
  /// Plans the list; while it runs, what passes goes on from it.
  void plan();
  void cancel();
  /// About the list as it was planned last; null: none.
  [[nodiscard]] const MotionAnswer* answer() const { return answer_ ? &*answer_ : nullptr; }
  /// True if the answer is about the table as it is now.
  [[nodiscard]] bool is_current() const { return answer_ && asks_the_same(planned_, table.list); }
  /// Row that is refused; absent: none, or no row in particular.
  [[nodiscard]] std::optional<std::size_t> refused_row() const;

  // Running.

  [[nodiscard]] std::string why_not_run() const;
  void run();
  /// Its joints slow down along the path, and hold.
  void stop() { end("stopped"); }
  void end(const std::string& why) override;
  [[nodiscard]] bool running() const noexcept { return run_.has_value(); }
  /// True if a list is followed that goes on into the table's without a stop: that moves all joints
  /// of it.
  [[nodiscard]] bool can_replace() const;
  /// Row that the robot is on the way to; absent: it doesn't follow the table's list.
  [[nodiscard]] std::optional<std::size_t> running_row() const;
  /// Path time [s]; absent: it doesn't run.
  [[nodiscard]] std::optional<double> path_time() const;
  /// Lines of the plan that is followed, else of the last answer; null: none.
  [[nodiscard]] const MotionAnswer* shown() const;
  /// Places of the waypoints in the table, as far as shown() is not about them.
  [[nodiscard]] const std::vector<MotionLine>& marks() const noexcept { return marks_; }

  /// Every list that was run, in order: for the record of a session.
  [[nodiscard]] const std::vector<SentMotion>& sent() const noexcept { return sent_; }

  /// "on the way to waypoint 2 of 3, 1.4 s left", "refused: ...", "finished".
  [[nodiscard]] std::string status_text() const;

  /// Call each frame, after the panel's.
  void begin_frame();

  // Its file.

  std::string file = "motion.yaml";
  std::string own_file;  ///< file that it was opened from, or saved to
  FileWish wish = FileWish::kNone;
  /// Called when the program has opened a file.
  void opened(MotionList read);
  void told(std::string what) { panel_->tell(std::move(what)); }

 private:
  /// A plan that was handed over.
  struct Run {
    std::uint64_t number = 0;  ///< of its command
    FollowPlan command;
    MotionList list;
    MotionAnswer answer;
  };

  [[nodiscard]] std::string why_not_joints() const;
  [[nodiscard]] const PlanSnapshot* followed() const;
  [[nodiscard]] std::string planning_text() const;
  [[nodiscard]] std::string running_text() const;
  void look_at_marks();
  void take_answer();
  void follow_run();
  void follow_next();
  void finish(const PlanCourse& course);
  [[nodiscard]] bool is_at_start() const;

  MotorPanel* panel_;
  MotionPlanning* planning_ = nullptr;
  MotionList planned_;  ///< list of the answer, or of the plan that is being made
  std::optional<MotionAnswer> answer_;
  bool is_planning_ = false;
  bool is_used_ = false;     ///< the answer's plan was handed over
  bool replaces_ = false;    ///< what is being planned goes on from the run
  std::optional<Run> run_;   ///< that is followed
  std::optional<Run> next_;  ///< that goes on from it
  std::uint64_t ended_ = 0;  ///< number of the last run
  std::string outcome_;      ///< of the last run
  std::vector<SentMotion> sent_;
  MotionList marked_;  ///< list of the marks
  std::vector<MotionLine> marks_;
};

}  // namespace jointrig::gui
