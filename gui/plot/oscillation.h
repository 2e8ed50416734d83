#pragma once
/// Joints that swing by themselves, seen in their record.

#include <optional>

#include "gui/plot/history.h"

namespace jointrig::gui {

/// An oscillation of a joint's velocity around its reference.
struct Swing {
  double hz = 0.0;
  double amplitude = 0.0;  ///< of the velocity, in the unit shown [°/s or mm/s]
};

/// Looks at the newest half second of velocity minus its reference (0 where the mode has none).
/// It swings if this passes its mean for three periods or more, at 2 Hz or faster, with periods
/// that differ by less than 1.6 times, with ten steps of the sensor or more (rms), and without
/// decaying. A motion that was asked for, noise, and the end of a step are none.
std::optional<Swing> swing_of(const History& history, JointIndex joint);

/// Watches the joints of a robot, some of them in each frame.
class SwingWatch {
 public:
  struct Report {
    JointIndex joint = kNoJoint;
    Swing swing;
    double seen = 0.0;  ///< time of the history at which it was seen last [s]
  };
  static constexpr double kKeep = 2.0;  ///< s for which a report outlasts the swing: a choice

  /// Each frame. Looks at `first` (kNoJoint: none) and at one more.
  void update(const History& history, JointIndex first, std::size_t joints);

  /// The report on this joint, if it swings.
  [[nodiscard]] const Report* of(JointIndex joint) const noexcept;

 private:
  void look(const History& history, JointIndex joint);

  std::vector<Report> reports_;
  std::size_t next_ = 0;
};

}  // namespace jointrig::gui
