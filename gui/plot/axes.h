#pragma once
/// Which part of time and value a plot shows: arithmetic only. Time is in seconds of the history.

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
/// Larger by `factor` around a point that stays where it is on the screen.
Span zoomed(Span span, double factor, double around) noexcept;
/// The span of these values with a twentieth of air; a band around a single value.
Span fitted(double low, double high) noexcept;
/// Round values inside the span, at most `most` of them: steps of 1, 2 or 5 times a power of ten.
std::vector<double> ticks(Span span, int most);
/// A tick's label, with the digits that tell it from its neighbours.
std::string tick_text(double value, double step);

/// The time axis that all plots share.
///
/// It follows the newest sample until somebody pans, zooms or freezes. Recording goes on whatever
/// it shows.
class TimeAxis {
 public:
  static constexpr double kShortest = 0.005;  ///< s: five samples at 1 kHz

  explicit TimeAxis(double span = 10.0) : shown_{-span, 0.0} {}

  /// Each frame.
  /// @param oldest, newest  what the history has [s]
  void update(double oldest, double newest) noexcept;

  [[nodiscard]] Span shown() const noexcept { return shown_; }
  [[nodiscard]] bool follows() const noexcept { return follows_; }
  void follow(bool follows) noexcept { follows_ = follows; }
  /// While it follows: the last so many seconds.
  void set_span(double seconds) noexcept;
  void pan(double fraction);
  /// While it follows the newest sample stays at the right edge.
  void zoom(double factor, double around);
  /// A box drawn with the mouse; the view before can be had back.
  void show(Span span);
  /// What a trigger caught: not a step of anybody's to be undone.
  void put(Span span) noexcept {
    follows_ = false;
    shown_ = span;
  }
  /// The view before the last show() or the first of a row of zooms and pans.
  void undo();
  [[nodiscard]] bool can_undo() const noexcept { return !before_.empty(); }
  /// A zoom or pan after this one begins a new step for undo (the mouse was let go).
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
