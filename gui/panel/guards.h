#pragma once
/// Guards between a hand and a motion. Callers pass the time [s, of any steady clock], so that
/// tests need not wait.

#include <optional>

#include "control/core/enumeration.h"

namespace jointrig::gui {

/// Access level of the panel.
///
///     observe  read only; STOP and OFF still work. State at each start of the panel.
///     control  modes, interaction, gains, motors on and off
///     armed    motion, too; falls back to control by itself
#define JOINTRIG_ACCESS(X) \
  X(kObserve, "OBSERVE")   \
  X(kControl, "CONTROL")   \
  X(kArmed, "ARMED")
JOINTRIG_ENUM(Access, JOINTRIG_ACCESS)

class AccessGuard {
 public:
  static constexpr double kArmedFor = 60.0;  ///< s after the last motion command: a choice

  void set(Access access, double now) noexcept {
    access_ = access;
    last_use_ = now;
  }
  /// Restarts the countdown at a motion command.
  void used(double now) noexcept { last_use_ = now; }
  void tick(double now) noexcept {
    if (access_ == Access::kArmed && now - last_use_ >= kArmedFor) access_ = Access::kControl;
  }
  [[nodiscard]] Access access() const noexcept { return access_; }
  [[nodiscard]] bool armed() const noexcept { return access_ == Access::kArmed; }
  /// Seconds until it falls back; 0 if not armed.
  [[nodiscard]] double armed_left(double now) const noexcept {
    return armed() ? kArmedFor - (now - last_use_) : 0.0;
  }

 private:
  Access access_ = Access::kObserve;
  double last_use_ = 0.0;
};

/// A button that must be held: fires once per press, after 0.8 s.
class HoldGuard {
 public:
  static constexpr double kHoldFor = 0.8;  ///< s

  /// Call each frame.
  /// @returns true in the frame in which it fires
  bool update(bool down, double now) noexcept {
    if (!down) {
      since_.reset();
      fired_ = false;
      return false;
    }
    if (!since_) since_ = now;
    if (fired_ || now - *since_ < kHoldFor) return false;
    fired_ = true;
    return true;
  }
  /// 0..1 of the time; 0 if not held, 1 after it has fired.
  [[nodiscard]] double progress(double now) const noexcept {
    if (!since_) return 0.0;
    const double part = (now - *since_) / kHoldFor;
    return fired_ || part > 1.0 ? 1.0 : part;
  }

 private:
  std::optional<double> since_;
  bool fired_ = false;
};

/// Ends every live slider at once: when the window loses focus, without mouse or key input for half
/// a minute, or at a change of page.
class LiveGuard {
 public:
  static constexpr double kQuietFor = 30.0;  ///< s

  /// Call each frame.
  /// @returns false: all streams must end
  bool update(bool focused, bool had_input, int page, double now) noexcept {
    const bool same_page = page == page_;
    page_ = page;
    if (had_input || !last_input_) last_input_ = now;
    return focused && same_page && now - *last_input_ < kQuietFor;
  }

 private:
  std::optional<double> last_input_;
  int page_ = 0;
};

}  // namespace jointrig::gui
