#include "gui/panel/bench_desk.h"

#include <cstdio>

namespace jointrig {

std::string BenchDesk::why_not_reset() const {
  if (panel_->robot().simulation == nullptr) return "only a simulation can be reset";
  if (panel_->access() == Access::kObserve) return "OBSERVE only: take CONTROL first";
  if (logging || session.recording()) return "end the recording first";
  return {};
}

void BenchDesk::reset(const std::string& to) {
  if (std::string why = why_not_reset(); !why.empty()) return panel_->tell(std::move(why));
  reset_to = to;
  wants_reset = true;
}

void BenchDesk::toggle_session() {
  if (!session.recording()) return session.start(panel_->snapshot());
  session.stop();
  if (session.commands().empty()) return panel_->tell("nothing was asked of the robot meanwhile");
  wants_session_file = true;
}

std::string in_bytes(std::uintmax_t bytes) {
  char text[32];
  const auto value = static_cast<double>(bytes);
  if (bytes < 1'000'000) {
    std::snprintf(text, sizeof text, "%.0f kB", value / 1e3);
  } else {
    std::snprintf(text, sizeof text, "%.1f MB", value / 1e6);
  }
  return text;
}

}  // namespace jointrig
