#pragma once

#include <string>

#include "gui/panel/served.h"

namespace jointrig::gui {

/// The panel's share in the lease of a served robot. A panel that isn't served has the robot to
/// itself, and all of this has no effect.
///
///     the panel      its lease
///     OBSERVE        none: other programs may take it
///     CONTROL        held, until OBSERVE or until another program takes it over by force, or stops
///     ARMED          the robot: the panel is in OBSERVE then
///
/// The connection to a robot elsewhere may be lost: the panel is in OBSERVE then, too.
///
/// One thread: the window's.
class PanelLease {
 public:
  /// @param served  exists until the next call; null: the robot isn't served
  void attach(Served* served) noexcept {
    served_ = served;
    now_ = {};
    held_ = false;
  }
  [[nodiscard]] const Served* served() const noexcept { return served_; }
  /// As of this frame.
  [[nodiscard]] const ServedNow& now() const noexcept { return now_; }

  /// Call each frame.
  /// @param commands  the panel is above OBSERVE and needs the lease
  /// @returns empty, or a sentence: the panel may no longer command
  std::string begin_frame(bool commands);
  /// Takes the lease; no effect for who has it.
  /// @returns empty, or a sentence that tells why not
  std::string take(bool by_force);
  void release();
  void stopped();
  /// Before the motors are switched off; as Served.
  std::string take_for_off();

  /// True if commands without the lease are refused on their way, at a server elsewhere.
  [[nodiscard]] bool is_guarded() const { return served_ != nullptr && served_->is_elsewhere(); }
  /// True while another program holds the lease.
  [[nodiscard]] bool is_locked() const noexcept { return !now_.holder.empty() && !now_.is_ours; }
  /// True if the panel's commands may move the robot at this very moment.
  [[nodiscard]] bool may_command() const { return served_ == nullptr || served_->now().is_ours; }
  /// "anna holds the robot: ..."
  [[nodiscard]] std::string why_locked() const;

 private:
  Served* served_ = nullptr;
  ServedNow now_;
  bool held_ = false;  ///< the panel had it in the frame before
};

}  // namespace jointrig::gui
