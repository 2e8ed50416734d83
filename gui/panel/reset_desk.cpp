#include "gui/panel/reset_desk.h"

namespace jointrig::gui {

std::string ResetDesk::why_not() const {
  if (panel_->robot().simulation == nullptr) return "only a simulation can be reset";
  if (panel_->access() == Access::kObserve) return "OBSERVE only: take CONTROL first";
  if (recording_->recording()) return "end the recording first";
  return {};
}

void ResetDesk::ask(const std::string& where) {
  if (std::string why = why_not(); !why.empty()) return panel_->tell(std::move(why));
  to = where;
  wanted = true;
}

}  // namespace jointrig::gui
