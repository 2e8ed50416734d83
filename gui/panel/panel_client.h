#pragma once

#include <cstdint>
#include <string>

#include "control/exchange/robot_client.h"
#include "gui/panel/guards.h"
#include "gui/panel/panel_lease.h"
#include "gui/panel/robot_watch.h"

namespace jointrig::gui {

/// Connection from the panel to the loop: the access level (OBSERVE, CONTROL, ARMED), the client
/// that sends, the loop's answers, and the notice with the reason why something was not done.
///
/// One thread: the window's.
class PanelClient {
 public:
  static constexpr double kNoticeFor = 8.0;  ///< s for which a notice stays

  /// Both outlive this object.
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
  /// Restarts the countdown of ARMED: a motion was commanded, here or outside the panel (a push in
  /// the 3D view), or goes on.
  void note_motion() { access_.used(watch_->frame().now); }
  /// Reason why no command of this level can be sent now, for any joint; empty: it can.
  [[nodiscard]] std::string why_not(Access least) const;

  /// Call before a command is sent. Shows the reason why it isn't: the given one, or that another
  /// program holds the robot since.
  /// @returns true without a reason
  bool allowed(const std::string& why_not);
  /// Shows a notice if the loop doesn't accept commands. Where another program took the robot over
  /// while the command was sent, every joint stops: the new holder's robot must not move by it.
  /// @param number  the client's return value
  std::uint64_t sent(std::uint64_t number);
  [[nodiscard]] RobotClient& robot() noexcept { return *client_; }

  /// Sends a command for an arm or its joints that ArmDesk has checked. Restarts the countdown of
  /// ARMED.
  void ask(const Request& request);
  /// Sends a factor on all speeds; needs CONTROL.
  void ask_speed_override(double factor);
  /// @returns the number of the command; 0: not sent
  std::uint64_t stop(const JointSet& joints);
  /// Stops joints at the end of a motion of the panel's own; not where another program holds the
  /// robot by now: it stopped when that took it over.
  void brake(const JointSet& joints);

  /// The newest of the panel's own commands that the loop refused or accepted, and the robot time
  /// of the answer.
  struct Answer {
    std::uint64_t number = 0;
    TimeNs time_ns = 0;
  };
  [[nodiscard]] const Answer& refused() const noexcept { return refused_; }
  [[nodiscard]] const Answer& taken() const noexcept { return taken_; }
  /// True if an event answers one of the panel's own commands.
  [[nodiscard]] bool is_own(const Event& event) const noexcept {
    return event.sender == client_->sender();
  }
  /// Name of a command's sender, as given by itself.
  [[nodiscard]] std::string name_of(std::uint16_t sender) const;

  PanelLease lease;

  /// Shows a notice for a while.
  void tell(std::string text);
  /// The last notice or refusal, from here or from the loop; empty after a while.
  [[nodiscard]] std::string notice() const;

 private:
  std::uint64_t told(std::uint64_t number);

  friend class MotorPanel;  // its set_access ends all motion
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
