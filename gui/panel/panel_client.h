#pragma once

#include <cstdint>
#include <string>

#include "control/exchange/robot_client.h"
#include "gui/panel/guards.h"
#include "gui/panel/robot_watch.h"

namespace jointrig::gui {

/// The way from the panel to the loop: what the panel may send (OBSERVE, CONTROL, ARMED), the
/// client that sends it, what the loop answered, and the notice that tells a person why something
/// didn't happen.
///
/// One thread: the window's.
class PanelClient {
 public:
  static constexpr double kNoticeFor = 8.0;  ///< s that a notice stays

  /// Both outlive it.
  /// @param client  connected to the robot
  PanelClient(RobotClient& client, const RobotWatch& watch) : client_(&client), watch_(&watch) {}

  void begin_frame() { access_.tick(watch_->frame().now); }
  /// @param text  the event as a sentence
  void see(const Event& event, const std::string& text);

  [[nodiscard]] Access access() const noexcept { return access_.access(); }
  [[nodiscard]] bool armed() const noexcept { return access_.armed(); }
  [[nodiscard]] double armed_left() const noexcept {
    return access_.armed_left(watch_->frame().now);
  }
  /// A motion was asked for, here or past the panel (a push in the 3D view), or goes on: the
  /// countdown of ARMED begins anew.
  void note_motion() { access_.used(watch_->frame().now); }
  /// Why nothing that needs this can be asked now, of whichever joint; empty: it can.
  [[nodiscard]] std::string why_not(Access least) const;

  /// Tells why something isn't done.
  /// @returns whether there is no reason against it
  bool allowed(const std::string& why_not);
  /// Tells where the loop doesn't take commands.
  /// @param number  what the client returned
  std::uint64_t sent(std::uint64_t number);
  [[nodiscard]] RobotClient& robot() noexcept { return *client_; }

  /// A command for an arm or its joints, as ArmDesk has checked it. While ARMED that lasts on.
  void ask(const Request& request);
  /// Another factor on all speeds: whoever is in CONTROL may.
  void ask_speed_override(double factor);
  void stop(const JointSet& joints) { sent(client_->stop(joints)); }

  /// The newest of the panel's own commands that the loop has refused, and taken, and when [robot
  /// time] it was.
  struct Answer {
    std::uint64_t number = 0;
    TimeNs time_ns = 0;
  };
  [[nodiscard]] const Answer& refused() const noexcept { return refused_; }
  [[nodiscard]] const Answer& taken() const noexcept { return taken_; }
  /// Whether an event answers one of the panel's own commands.
  [[nodiscard]] bool is_own(const Event& event) const noexcept {
    return event.sender == client_->sender();
  }
  /// Of who sent a command: the name it gave itself.
  [[nodiscard]] std::string name_of(std::uint16_t sender) const;

  /// Shown for a while.
  void tell(std::string text);
  /// The last thing that was told or refused, here or by the loop; empty after a while.
  [[nodiscard]] std::string notice() const;

 private:
  friend class MotorPanel;  // whose set_access ends what moves joints
  void set_access(Access access) { access_.set(access, watch_->frame().now); }

  RobotClient* client_;
  const RobotWatch* watch_;
  AccessGuard access_;
  Answer refused_;
  Answer taken_;
  std::string notice_;
  double notice_at_ = 0.0;
};

}  // namespace jointrig::gui
