#pragma once

#include <cstdint>
#include <string>

#include "gui/panel/panel.h"
#include "gui/panel/session_recorder.h"

namespace jointrig::gui {

/// The two recordings of the robot: wishes for the program, and their state.
class RecordingDesk {
 public:
  explicit RecordingDesk(MotorPanel& panel) : panel_(&panel) {}

  [[nodiscard]] bool recording() const noexcept { return logging || session.recording(); }

  // The log: every cycle, command and event into an MCAP file.

  bool wants_log = false;  ///< wish to begin, or to end if it is on
  bool logging = false;
  std::string log_file;
  std::uintmax_t log_bytes = 0;

  // The session: the commands of this panel, as a scenario.

  SessionRecorder session;
  void toggle_session();
  bool wants_session_file = false;  ///< it has ended and must be written
  /// It could not be written: the next toggle tries again, once there is room.
  bool unsaved = false;

 private:
  MotorPanel* panel_;
};

/// `3.1 MB`.
std::string in_bytes(std::uintmax_t bytes);

}  // namespace jointrig::gui
