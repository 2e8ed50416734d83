#pragma once
/// The maker of plans for the panel: the program, on a thread of its own, with the planners and
/// checks of scenarios and clients.

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "control/core/joint_commands.h"
#include "control/core/snapshot.h"
#include "gui/panel/motion_list.h"

namespace jointrig::gui {

/// The way of a tool in the world, or of a chain's last joint where no arm is concerned.
struct MotionLine {
  std::string name;
  std::vector<double> times;                     ///< rising, path time [s]
  std::vector<std::array<double, 3>> points;     ///< one for each time [m]
  std::vector<std::array<double, 3>> waypoints;  ///< where it is at each waypoint; as far as known
  bool operator==(const MotionLine&) const = default;
};

/// Result of a list that was to be planned.
struct MotionAnswer {
  std::string refusal;         ///< in the planner's words; empty: it passed all checks
  std::uint16_t waypoint = 0;  ///< that the refused way leads to, from 1; 0: none in particular
  double duration = 0.0;       ///< at full speed override [s]
  std::vector<double> times;   ///< at the waypoints [s]
  std::vector<MotionLine> lines;
  /// Where two bodies meet on the path [s]; NaN: they don't.
  double meets_at = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> meets_q;  ///< all joints there [rad or m]; empty: no meeting
  std::string meets;            ///< both bodies
  std::vector<double> start;    ///< references at its start, one for each joint [rad or m]

  [[nodiscard]] bool has_passed() const noexcept { return refusal.empty(); }
};

/// For the window's thread; no function waits for a plan. One list is planned at a time.
class MotionPlanning {
 public:
  MotionPlanning() = default;
  MotionPlanning(const MotionPlanning&) = delete;
  MotionPlanning& operator=(const MotionPlanning&) = delete;
  virtual ~MotionPlanning() = default;

  /// Why nothing is planned now; empty: ask.
  [[nodiscard]] virtual std::string why_not() const { return {}; }
  /// Begins to plan; what was asked for before is forgotten.
  /// @param config  with the present parameters
  /// @param goes_on  from the plan that these joints follow, or some of them, without a stop
  virtual void ask(const MotionList& list, const RobotConfig& config, const Snapshot& now,
                   bool goes_on) = 0;
  /// Asks for the places of the waypoints alone, also while a list is being planned.
  virtual void ask_marks(const MotionList& list, const RobotConfig& config,
                         const Snapshot& now) = 0;
  /// Those that were asked for last, once.
  [[nodiscard]] virtual std::optional<std::vector<MotionLine>> take_marks() = 0;
  /// Share of the work that is done, 0 to 1; absent: nothing is being planned, or nobody tells.
  [[nodiscard]] virtual std::optional<double> progress() const = 0;
  /// Forgets what is being planned, and a plan that waits.
  virtual void cancel() = 0;
  /// The answer, once.
  [[nodiscard]] virtual std::optional<MotionAnswer> take() = 0;
  /// Hands the plan of the last answer over to the loop, if it has passed: once.
  /// @returns the command that follows it
  [[nodiscard]] virtual std::optional<FollowPlan> hand_over() = 0;
};

}  // namespace jointrig::gui
