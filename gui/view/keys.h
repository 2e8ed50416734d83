#pragma once
/// Keys by name, independent of the window library: an upgrade of it changes one table in
/// gui/window.

#include <string_view>
#include <vector>

#include "gui/view/context.h"

namespace jointrig::gui {

// It never settles where a sign takes more than a byte.
// clang-format off
#define JOINTRIG_KEYS(X) \
  X(kSpace, "Space") \
  X(kTab, "Tab") \
  X(kRight, "→") \
  X(kMinus, "−") \
  X(kEqual, "=") \
  X(kBackspace, "Backspace") \
  X(kEscape, "Esc") \
  X(k1, "1") \
  X(k2, "2") \
  X(k3, "3") \
  X(k4, "4") \
  X(k5, "5") \
  X(k6, "6") \
  X(k7, "7") \
  X(k8, "8") \
  X(k9, "9") \
  X(kA, "A") \
  X(kC, "C") \
  X(kE, "E") \
  X(kF, "F") \
  X(kL, "L") \
  X(kM, "M") \
  X(kP, "P") \
  X(kS, "S") \
  X(kT, "T") \
  X(kZ, "Z") \
  X(kF1, "F1") \
  X(kF5, "F5") \
  X(kF6, "F6") \
  X(kF7, "F7") \
  X(kF8, "F8") \
  X(kF10, "F10") \
  X(kF11, "F11") \
  X(kF12, "F12")
// clang-format on
JOINTRIG_ENUM(Key, JOINTRIG_KEYS)

struct KeyPress {
  Key key = Key::kSpace;
  bool ctrl = false;
  bool shift = false;
  bool alt = false;
};

/// A mouse button that went down, and the pointer's place at that moment [px].
struct MousePress {
  ImVec2 at;
  int button = 0;  ///< 0: left, 1: right, 2: middle
};

/// Input since the last frame.
struct KeyInput {
  std::vector<KeyPress> pressed{};    ///< in order; without repeats of a held key
  bool a_is_down = false;             ///< held down: arms after 0.8 s
  std::vector<MousePress> presses{};  ///< for STOP and OFF, which don't go through ImGui
  int jog = 0;                        ///< Alt with ← or → held down: -1 or 1
};

/// Executes the keys' actions. While text is being typed only STOP, OFF and Esc act.
void handle_keys(const ViewContext& ctx, const KeyInput& input, bool is_typing);

struct KeyHelp {
  std::string_view keys;
  std::string_view meaning;
};
/// All keys, for F1.
const std::vector<KeyHelp>& key_help();

}  // namespace jointrig::gui
