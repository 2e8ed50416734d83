#pragma once

#include <array>
#include <string>
#include <vector>

#include "gui/panel/joint_acts.h"
#include "gui/panel/quantity.h"

namespace jointrig::gui {

/// A slider of a joint: its reference, and the command that sends it.
struct SliderKind {
  JointQuantity quantity = JointQuantity::kPosition;
  CommandKind command = CommandKind::kMove;
};

/// Values that a slider shows beside the measured value.
struct SliderState {
  double ghost = 0.0;
  bool has_ghost = false;  ///< else the ghost equals the reference
  bool dragging = false;
};

/// References by hand: sliders with their ghosts, typed values, and live streams. A command is sent
/// only at the release of a slider, at a typed value, or each frame from a slider that a person has
/// set to live.
///
/// One thread: the window's.
class ReferenceSliders {
 public:
  /// All references outlive this object.
  ReferenceSliders(const RobotWatch& watch, PanelClient& client, const JointActs& acts);

  /// Each frame.
  /// @param page  the shown page: a change ends all streams
  void begin_frame(int page);

  /// Sliders for the joint's mode.
  [[nodiscard]] std::vector<SliderKind> of(JointIndex joint) const;
  [[nodiscard]] Bar range(JointIndex joint, const SliderKind& kind) const;
  [[nodiscard]] const SliderState& state(JointIndex joint, const SliderKind& kind) const;
  /// Moves the ghost. Nothing is sent unless the slider is live.
  void drag(JointIndex joint, const SliderKind& kind, double value);
  /// Releases a slider: sends a goal if armed; velocity, torque and duty return to 0.
  void release(JointIndex joint, const SliderKind& kind);
  /// Handles Enter in the field beside it. Returns the reason of a refusal, which is also shown as
  /// a notice; empty: accepted.
  std::string type(JointIndex joint, const SliderKind& kind, const std::string& text);
  /// Streams the ghost from now on; ends with focus, half a minute without input, another page, the
  /// end of ARMED, STOP, OFF, or another mode.
  void set_live(JointIndex joint, bool live);
  [[nodiscard]] bool is_live(JointIndex joint) const { return live_.test(joint); }
  void end_live();
  /// Forgets every ghost, also that of a slider in the hand: letting go of it sends nothing. For
  /// STOP and OFF.
  void drop();

 private:
  using Sliders = std::array<SliderState, kAllJointQuantity.size()>;

  [[nodiscard]] const RobotConfig& config() const noexcept { return watch_->config(); }
  [[nodiscard]] const JointSnapshot& now(JointIndex joint) const { return watch_->now(joint); }
  SliderState& slider_of(JointIndex joint, const SliderKind& kind) {
    return sliders_[joint][static_cast<std::size_t>(kind.quantity)];
  }
  [[nodiscard]] double reference_of(JointIndex joint, JointQuantity quantity) const;
  [[nodiscard]] std::string what_is_wrong(JointIndex joint, const SliderKind& kind,
                                          double value) const;
  std::string take_typed(JointIndex joint, const SliderKind& kind, const std::string& text);
  void send_reference(JointIndex joint, const SliderKind& kind, double value);
  [[nodiscard]] double stream_step(JointIndex joint) const;
  void stream(JointIndex joint, const SliderKind& kind);
  void stream_live();
  void follow_modes();

  const RobotWatch* watch_;
  PanelClient* client_;
  const JointActs* acts_;
  LiveGuard live_guard_;
  JointSet live_;
  std::vector<Sliders> sliders_;
  std::vector<JointMode> modes_seen_;
};

}  // namespace jointrig::gui
