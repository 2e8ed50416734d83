#pragma once

#include <string>
#include <vector>

#include "gui/panel/recording_desk.h"

namespace jointrig::gui {

/// Resets a simulated robot by opening it again, so that controllers, filters, queues and time
/// restart together: a wish for the program.
class ResetDesk {
 public:
  ResetDesk(MotorPanel& panel, const RecordingDesk& recording)
      : panel_(&panel), recording_(&recording) {}

  std::vector<std::string> keyframes;  ///< keyframes of the model
  /// Reason why it can't be reset: it needs a simulation, CONTROL, and no recording.
  [[nodiscard]] std::string why_not() const;
  /// @param to  a keyframe; empty: the start
  void ask(const std::string& to);

  bool wanted = false;
  std::string to;  ///< target of the wish

 private:
  MotorPanel* panel_;
  const RecordingDesk* recording_;
};

}  // namespace jointrig::gui
