#pragma once
/// The page of a window whose boards are not there yet (panel/board_wait.h).

#include "gui/panel/board_wait.h"
#include "gui/view/context.h"

namespace jointrig::gui {

enum class WaitChoice : std::uint8_t {
  kNone,
  kTryNow,      ///< at once, not after the pause
  kSimulation,  ///< the same robot in simulation, without its boards
  kQuit,
};

struct WaitPage {
  const BoardWait& wait;
  std::string robot;
  bool looking = false;  ///< a try goes on; else a pause
  double now = 0.0;      ///< [s], the clock of BoardWait
  const Fonts& fonts;
  ItemMap* items = nullptr;  ///< null: not recorded
};

/// Fills the window; returns what was pressed.
[[nodiscard]] WaitChoice draw_wait_page(const WaitPage& page);

}  // namespace jointrig::gui
