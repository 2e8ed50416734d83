#pragma once

#include <cstdint>
#include <string>

#include "gui/panel/panel.h"
#include "gui/panel/session_recorder.h"

namespace jointrig::gui {

/// Two recordings of the robot: wishes that the program carries out, and how they stand.
class RecordingDesk {
 public:
  explicit RecordingDesk(MotorPanel& panel) : panel_(&panel) {}

  [[nodiscard]] bool recording() const noexcept { return logging || session.recording(); }

  // The log: every cycle, command and event into an MCAP file.

  bool wants_log = false;  ///< to begin, or where it is on, to end
  bool logging = false;
  std::string log_file;
  std::uintmax_t log_bytes = 0;

  // The session: what is asked of the robot here, as a scenario.

  SessionRecorder session;
  void toggle_session();
  bool wants_session_file = false;  ///< it has ended: to be written

 private:
  MotorPanel* panel_;
};

/// `3.1 MB`.
std::string in_bytes(std::uintmax_t bytes);

}  // namespace jointrig::gui
