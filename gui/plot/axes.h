#pragma once
/// Visible range of time and value of a plot: arithmetic only. Time is in seconds of the history.

#include <string>
#include <vector>

namespace jointrig::gui {

struct Span {
  double low = 0.0;
  double high = 1.0;
  [[nodiscard]] double size() const noexcept { return high - low; }
  bool operator==(const Span&) const = default;
};

/// Moves by a fraction of its size.
Span panned(Span span, double fraction) noexcept;
/// Scales by `factor` around a point that stays at its place on the screen.
Span zoomed(Span span, double factor, double around) noexcept;
/// The span of these values with a margin of a twentieth, and at least `least` around their middle.
Span fitted(double low, double high, double least = 0.2) noexcept;
/// Round values inside the span, at most `most` of them: steps of 1, 2 or 5 times a power of ten.
/// Where that gives fewer than `least` the step is finer, and they are more than `most`.
std::vector<double> ticks(Span span, int most, int least = 1);
/// A tick's label, with enough digits to distinguish it from its neighbours.
std::string tick_text(double value, double step);

/// The time axis that all plots share.
///
/// It follows the newest sample until the person pans, zooms or freezes. Recording continues
/// meanwhile.
class TimeAxis {
 public:
  static constexpr double kShortest = 0.005;  ///< s: five samples at 1 kHz

  explicit TimeAxis(double span = 10.0) : shown_{-span, 0.0} {}

  /// Each frame.
  /// @param oldest, newest range of the history [s]
  void update(double oldest, double newest) noexcept;

  [[nodiscard]] Span shown() const noexcept { return shown_; }
  [[nodiscard]] bool follows() const noexcept { return follows_; }
  void follow(bool follows) noexcept { follows_ = follows; }
  /// Sets the number of last seconds shown while it follows.
  void set_span(double seconds) noexcept;
  void pan(double fraction);
  /// Zooms; while it follows the newest sample stays at the right edge.
  void zoom(double factor, double around);
  /// Shows a box drawn with the mouse; undo() restores the view before.
  void show(Span span);
  /// Shows a trigger's capture: no step for undo().
  void put(Span span) noexcept {
    follows_ = false;
    shown_ = span;
  }
  /// Restores the view before the last show() or before the first of several zooms and pans.
  void undo();
  [[nodiscard]] bool can_undo() const noexcept { return !before_.empty(); }
  /// Ends a gesture (the mouse was released): the next zoom or pan begins a new step for undo.
  void end_gesture() noexcept { in_gesture_ = false; }

 private:
  struct View {
    Span span;
    bool follows = true;
  };
  void remember();
  void bound() noexcept;

  Span shown_;
  bool follows_ = true;
  bool in_gesture_ = false;
  double oldest_ = 0.0;
  double newest_ = 0.0;
  std::vector<View> before_;
};

}  // namespace jointrig::gui
