#pragma once

#include <vector>

#include "control/core/joint_parameter.h"
#include "gui/panel/joint_acts.h"

namespace jointrig::gui {

/// A change of a gain or a limit.
struct ParameterChange {
  JointIndex joint = 0;
  JointParameter parameter = JointParameter::kKp;
  double before = 0.0;
  double after = 0.0;
  bool was_pid = false;  ///< the stiff law before it
};

/// Changes of gains and limits: those sent, those accepted by the loop, and undo.
///
/// One thread: the window's.
class ParameterChanges {
 public:
  /// All references outlive this object.
  ParameterChanges(RobotWatch& watch, PanelClient& client, const JointActs& acts)
      : watch_(&watch), client_(&client), acts_(&acts) {}

  void see(const Event& event);

  /// Sends a value. RobotWatch::config contains it after the loop has accepted it.
  void set(JointIndex joint, JointParameter parameter, double value);
  void set_impedance(JointIndex joint, double stiffness, double damping);
  /// Changes accepted by the loop, for undo, the newest last.
  [[nodiscard]] const std::vector<ParameterChange>& history() const noexcept { return history_; }
  void undo();      ///< the newest
  void undo_all();  ///< the newest first

 private:
  struct Sent {
    std::uint64_t number = 0;
    ParameterChange change;
    bool is_undo = false;
  };
  void take(std::uint64_t number);
  void send_undo(const ParameterChange& back);
  void return_to_law(const ParameterChange& undone);

  RobotWatch* watch_;
  PanelClient* client_;
  const JointActs* acts_;
  std::vector<Sent> sent_;  ///< not answered yet
  std::vector<ParameterChange> history_;
};

}  // namespace jointrig::gui
