#pragma once

#include <optional>
#include <utility>

#include "gui/panel/guards.h"

namespace jointrig::gui {

/// A button that acts while a person holds it down, on one thing at a time. It repeats its message
/// to the robot meanwhile, so that a frozen window releases it.
///
///     each frame    begin_frame(): returns the thing released since the frame before
///     while held    hold(what, now): true in the frames in which a message is due
///
/// Time is handed in [s, of any steady clock].
///
/// @tparam What identifies the held thing; compared with ==
template <typename What>
class HoldButton {
 public:
  static constexpr double kSayEvery = 0.1;  ///< s between two messages: a choice

  /// Releases and returns the thing that was not held since the frame before.
  std::optional<What> begin_frame() {
    if (std::exchange(goes_on_, false) || !press_) return std::nullopt;
    const What was = press_->what;
    press_.reset();
    return was;
  }

  /// Call once in each frame in which it is held. A second thing is ignored until the first is
  /// released.
  /// @param patient  it acts only after HoldGuard::kHoldFor
  /// @returns true if a message is due now
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

  /// Ends the action while the button is down: no message until it is pressed again.
  void spend() noexcept {
    if (press_) press_->spent = true;
  }
  /// True if it was ended and is still down.
  [[nodiscard]] bool spent() const noexcept { return press_ && press_->spent; }
  /// Call in a frame in which an ended button is down.
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
    bool begun = false;  ///< it was held long enough
    bool spent = false;  ///< ended while down
    std::optional<double> said_at{};
  };
  std::optional<Press> press_;
  bool goes_on_ = false;  ///< held in this frame
};

}  // namespace jointrig::gui
