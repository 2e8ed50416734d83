#pragma once

#include <string>
#include <vector>

#include "gui/panel/motion_list.h"
#include "gui/panel/panel.h"
#include "gui/panel/quantity.h"

namespace jointrig::gui {

/// A bound of a tool's motion, as it is typed.
struct ToolBound {
  std::optional<double> MotionBounds::*of;
  JointQuantity quantity;
  bool is_linear;           ///< else an angle, or its rate
  double ArmConfig::*most;  ///< null: a length of any size
};

namespace tool_bounds {
inline constexpr ToolBound kCorner{&MotionBounds::corner_distance, JointQuantity::kPosition, true,
                                   nullptr};
inline constexpr ToolBound kSpeed{&MotionBounds::linear_speed, JointQuantity::kVelocity, true,
                                  &ArmConfig::speed_max};
inline constexpr ToolBound kAcceleration{&MotionBounds::linear_acceleration,
                                         JointQuantity::kAcceleration, true,
                                         &ArmConfig::acceleration_max};
inline constexpr ToolBound kTurning{&MotionBounds::rotational_speed, JointQuantity::kVelocity,
                                    false, &ArmConfig::rotation_speed_max};
inline constexpr ToolBound kTurningAcceleration{&MotionBounds::rotational_acceleration,
                                                JointQuantity::kAcceleration, false,
                                                &ArmConfig::rotation_acceleration_max};
}  // namespace tool_bounds

/// The list of waypoints under a person's hands: records where the robot is, takes typed numbers.
/// It sends nothing.
///
/// Functions type_...() handle a typed text. They return the reason of a refusal, which is shown as
/// a notice, too; empty: accepted.
class MotionTable {
 public:
  explicit MotionTable(MotorPanel& panel) : panel_(&panel) {}

  MotionList list;
  std::size_t selected = 0;

  /// Owner of the waypoints that are recorded: joints of the shown part (kNoArm), or the tool of an
  /// arm. Only while the list is empty.
  void choose(ArmIndex arm);
  [[nodiscard]] std::string why_not_choose(ArmIndex arm) const;
  /// "joints of arm", "joints", "tool of left": of the list, or of what would be recorded.
  [[nodiscard]] std::string kind_text() const;

  /// Empty: places may be recorded. A list whose poses are not those of the arm's tool in its base
  /// takes none.
  [[nodiscard]] std::string why_not_record() const;
  /// Adds where the robot is, after the selected waypoint: in a list with times half way in time to
  /// the next one, or kStep after the last.
  void record();
  static constexpr double kStep = 1.0;  ///< [s]; a choice
  /// Replaces the selected waypoint's place by where the robot is; label and speed stay.
  void record_again();
  void remove();
  void duplicate();
  /// Moves the selected waypoint up (-1) or down (+1); times stay in their rows.
  void shift(int by);
  /// Gives the selected pose of a tool the arm's present joint positions as its posture, or none.
  void set_posture(bool on);
  /// Takes a list from a file.
  void take(MotionList read);

  [[nodiscard]] const MotionWaypoint* waypoint(std::size_t row) const noexcept {
    return row < list.waypoints.size() ? &list.waypoints[row] : nullptr;
  }
  /// True if the selected waypoint's joints say a posture, or its place.
  [[nodiscard]] bool has_joints() const;
  /// True if a joint of this kind moves.
  [[nodiscard]] bool moves(bool slides) const;

  std::string type_position(std::size_t row, JointIndex joint, const std::string& text);
  /// @param place  of shown_numbers() of its pose; what is relative stays so
  std::string type_tool(std::size_t row, std::size_t place, const std::string& text);
  /// Speed or acceleration of one waypoint: empty or "–" for the list's.
  using OwnShare = std::optional<double> MotionWaypoint::*;
  std::string type_own_share(std::size_t row, OwnShare of, const std::string& text);
  /// Likewise of its tool.
  std::string type_own_bound(std::size_t row, const ToolBound& bound, const std::string& text);
  /// How near to it all hinges, or all slides, pass it; empty or "–": not watched.
  std::string type_own_tolerance(std::size_t row, bool slides, const std::string& text);
  /// In a list with times.
  std::string type_time(std::size_t row, const std::string& text);
  /// In a list with speeds at its waypoints; empty or "–": 0.
  std::string type_velocity(std::size_t row, JointIndex joint, const std::string& text);

  std::string type_speed(const std::string& text);
  std::string type_acceleration(const std::string& text);
  /// For a tool; empty or "–": the arm's own, or no corner.
  std::string type_bound(const ToolBound& bound, const std::string& text);
  /// For all hinges, or all slides; empty or "–": not watched.
  std::string type_tolerance(JointNumbers MotionList::*of, bool slides, const std::string& text);
  std::string type_settling(const std::string& text);
  /// Empty or "–": of its length.
  std::string type_timeout(const std::string& text);

  /// For the hinges, or slides, that move: "0.5 °"; "–" where none is watched, "several" where they
  /// differ.
  [[nodiscard]] std::string tolerance_text(JointNumbers MotionList::*of, bool slides) const;
  [[nodiscard]] std::string own_tolerance_text(std::size_t row, bool slides) const;

 private:
  [[nodiscard]] std::string next_label() const;
  [[nodiscard]] MotionWaypoint here() const;
  [[nodiscard]] JointNumbers joints_here(const JointSet& joints) const;
  void insert(std::size_t row, MotionWaypoint waypoint);
  [[nodiscard]] MotionWaypoint* at(std::size_t row) noexcept {
    return row < list.waypoints.size() ? &list.waypoints[row] : nullptr;
  }
  std::string refuse(std::string why);
  std::string take_share(const std::string& text, double& share);
  std::string take_bound(const ToolBound& bound, const std::string& text, MotionBounds& bounds);
  std::string take_tolerance(const std::string& text, bool slides, JointNumbers& all);
  [[nodiscard]] std::string common_text(const JointNumbers& all, bool slides) const;

  MotorPanel* panel_;
};

/// True for a text that stands for no value: "", "–", "-".
bool is_no_value(const std::string& text);

}  // namespace jointrig::gui
