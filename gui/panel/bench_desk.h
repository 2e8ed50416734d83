#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gui/panel/panel.h"
#include "gui/panel/session_recorder.h"

namespace jointrig {

/// Starting again, and what is recorded: wishes that the program carries out, and how they stand.
class BenchDesk {
 public:
  explicit BenchDesk(MotorPanel& panel) : panel_(&panel) {}

  // Reset: the robot is opened anew, so that controllers, filters, queues and time begin together.

  std::vector<std::string> keyframes;  ///< of the model
  [[nodiscard]] std::string why_not_reset() const;
  /// @param to  a keyframe; empty: where the robot was opened
  void reset(const std::string& to);
  bool wants_reset = false;
  std::string reset_to;

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

}  // namespace jointrig
