#pragma once

#include <cstdint>
#include <string>

#include "gui/panel/panel_client.h"

namespace jointrig::gui {

/// Memory of the panel's last STOP: when it was, what holds, what was refused since, how to go on.
///
/// It stays until a person dismisses it or moves something by this panel: from then on it would
/// tell of a robot that is no longer there. A motion that another client asks for doesn't end it,
/// but is told: whoever pressed STOP has to know that the robot moves again.
///
/// One thread: the window's.
class StopLatch {
 public:
  /// Both outlive this object.
  StopLatch(const RobotWatch& watch, PanelClient& client) : watch_(&watch), client_(&client) {}

  /// Sends STOP to every joint, and again in each frame until the inbox takes it.
  void stop();
  void see(const Event& event, const std::string& text);
  /// Call each frame.
  void begin_frame();
  void dismiss() noexcept { latched_ = false; }

  [[nodiscard]] bool latched() const noexcept { return latched_; }
  /// "STOP at 12.345 s", or the reason why the loop has not taken it yet.
  [[nodiscard]] std::string when() const;
  /// "7 hold: 6 in position, 1 in mixed; 1 off"; of old values of a robot elsewhere, that they are.
  [[nodiscard]] std::string holds() const;
  /// Instruction to a person who goes on.
  [[nodiscard]] std::string how_to_go_on() const;
  /// Refusals since, and motions of other clients; empty: none.
  [[nodiscard]] std::string since() const;

 private:
  const RobotWatch* watch_;
  PanelClient* client_;
  bool latched_ = false;
  bool taken_ = false;
  std::uint64_t number_ = 0;  ///< of the command; 0: not sent yet
  TimeNs time_ns_ = 0;        ///< robot time at which the loop took it
  std::string why_not_;       ///< it was refused: by a robot elsewhere whose connection is lost
  std::size_t refused_ = 0;
  std::string last_refusal_;
  std::string moved_by_;
};

}  // namespace jointrig::gui
