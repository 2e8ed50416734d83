#include "gui/panel/recording_desk.h"

#include <fmt/core.h>

namespace jointrig::gui {

void RecordingDesk::toggle_session() {
  if (!session.recording() && unsaved) {
    wants_session_file = true;
    return;
  }
  if (!session.recording()) return session.start(panel_->snapshot());
  session.stop();
  const bool is_empty = session.commands().empty() && session.acts().empty();
  if (is_empty) return panel_->tell("no command was sent meanwhile");
  wants_session_file = true;
}

std::string in_bytes(std::uintmax_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (bytes < 1'000'000) {
    return fmt::format("{:.0f} kB", value / 1e3);
  }
  return fmt::format("{:.1f} MB", value / 1e6);
}

}  // namespace jointrig::gui
