#pragma once

#include <string>
#include <vector>

#include "gui/panel/panel.h"

namespace jointrig::gui {

/// The robot's grippers: opening, state and force; Open, Close, Grasp and Stop, as all motion in
/// ARMED (Stop always).
class GripperDesk {
 public:
  explicit GripperDesk(MotorPanel& panel);

  [[nodiscard]] const std::vector<GripperConfig>& grippers() const {
    return panel_->config().grippers;
  }
  /// True if the loop has told of its grippers.
  [[nodiscard]] bool has_state(GripperIndex gripper) const;
  [[nodiscard]] GripperState state(GripperIndex gripper) const;
  /// Share of its way: 0 closed, 1 open; cut at both ends, for the bar.
  [[nodiscard]] double share(GripperIndex gripper) const;
  /// "31.2 mm of 80 mm", or "52 %" where no width is known.
  [[nodiscard]] std::string opening_text(GripperIndex gripper) const;
  /// "grasped, 20.1 N of 20 N"
  [[nodiscard]] std::string state_text(GripperIndex gripper) const;

  /// Reason why it can't be moved; empty: it can.
  [[nodiscard]] std::string why_not(GripperIndex gripper) const;
  /// Reason why it can't grasp.
  [[nodiscard]] std::string why_no_grasp(GripperIndex gripper) const;
  void open(GripperIndex gripper);
  void close(GripperIndex gripper);
  /// With the force that is typed.
  void grasp(GripperIndex gripper);
  void stop(GripperIndex gripper);

  /// Force of the next grasp, as typed: "20 N".
  [[nodiscard]] const std::string& force_text(GripperIndex gripper) const {
    return forces_[gripper];
  }
  /// @return  why it is no force; empty: it is taken
  std::string type_force(GripperIndex gripper, const std::string& text);

 private:
  MotorPanel* panel_;
  std::vector<std::string> forces_;  ///< by gripper; empty: the gripper's own
};

}  // namespace jointrig::gui
