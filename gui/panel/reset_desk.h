#pragma once

#include <string>
#include <vector>

#include "gui/panel/recording_desk.h"

namespace jointrig::gui {

/// Opens a simulated robot anew, so that controllers, filters, queues and time begin together: a
/// wish that the program carries out.
class ResetDesk {
 public:
  ResetDesk(MotorPanel& panel, const RecordingDesk& recording)
      : panel_(&panel), recording_(&recording) {}

  std::vector<std::string> keyframes;  ///< of the model
  /// Wants a simulation, CONTROL, and no recording under way.
  [[nodiscard]] std::string why_not() const;
  /// @param to  a keyframe; empty: where the robot was opened
  void ask(const std::string& to);

  bool wanted = false;
  std::string to;  ///< of what is wanted

 private:
  MotorPanel* panel_;
  const RecordingDesk* recording_;
};

}  // namespace jointrig::gui
