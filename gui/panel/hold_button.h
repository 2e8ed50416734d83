#pragma once

#include <optional>
#include <utility>

#include "gui/panel/guards.h"

namespace jointrig::gui {

/// A button that acts as long as a person holds it down, on one thing at a time, and repeats itself
/// to the robot meanwhile, so that a window that froze lets go.
///
///     each frame    begin_frame(): returns what was let go of since the frame before
///     while held    hold(what, now): true in the frames in which the robot is to be told
///
/// Time is handed in [s, of any steady clock].
///
/// @tparam What  what is held; compared with ==
template <typename What>
class HoldButton {
 public:
  static constexpr double kSayEvery = 0.1;  ///< s between two messages: a choice

  /// What nobody has held since the frame before is let go of, and returned.
  std::optional<What> begin_frame() {
    if (std::exchange(goes_on_, false) || !press_) return std::nullopt;
    const What was = press_->what;
    press_.reset();
    return was;
  }

  /// Once each frame in which it is held. Another thing than the one that is held is ignored until
  /// that one is let go of.
  /// @param patient  it acts only after HoldGuard::kHoldFor
  /// @returns whether the robot is to be told now
  bool hold(const What& what, double now, bool patient = false) {
    if (press_ && !(press_->what == what)) return false;
    if (!press_) press_ = Press{what, {}, !patient};
    goes_on_ = true;
    if (press_->spent) return false;
    if (!press_->begun) press_->begun = press_->patience.update(true, now);
    if (!press_->begun) return false;
    if (press_->said_at && now - *press_->said_at < kSayEvery) return false;
    press_->said_at = now;
    return true;
  }

  /// Ends it though it is down: nothing is said until it is pressed anew.
  void spend() noexcept {
    if (press_) press_->spent = true;
  }
  /// It was spent, and is still down.
  [[nodiscard]] bool spent() const noexcept { return press_ && press_->spent; }
  /// A frame in which a spent button is down.
  void stay_down() noexcept { goes_on_ = press_.has_value(); }

  [[nodiscard]] std::optional<What> held() const {
    return press_ ? std::optional<What>(press_->what) : std::nullopt;
  }
  /// 0..1 of the time for which it has to be held first; 1 where it needs none, 0 where it isn't
  /// held.
  [[nodiscard]] double progress(double now) const noexcept {
    if (!press_) return 0.0;
    return press_->begun ? 1.0 : press_->patience.progress(now);
  }

 private:
  struct Press {
    What what{};
    HoldGuard patience;
    bool begun = false;  ///< it was held for long enough
    bool spent = false;  ///< ended, though it is down
    std::optional<double> said_at{};
  };
  std::optional<Press> press_;
  bool goes_on_ = false;  ///< it was held in this frame
};

}  // namespace jointrig::gui
