#pragma once
/// Parts of the window that survive a restart: sizes and looks, nothing that acts on a robot.

#include "gui/view/context.h"

namespace jointrig::gui {

struct Layout {
  BoxSize boxes = BoxSize::kAuto;
  SideTab side = SideTab::kPlots;
  float side_part = ViewState{}.side_part;
  float events_part = ViewState{}.events_part;
  bool scene_open = ViewState{}.scene_open;
  float scene_part = ViewState{}.scene_part;
  EventSeverity events = EventSeverity::kInfo;
  Palette palette = Palette::kIcubDark;
  int width = 0;  ///< window width [px]; 0: unknown
  int height = 0;
  float magnification = 1.0F;  ///< magnification of text and boxes
  bool operator==(const Layout&) const = default;
};

/// Layouts for kinds of work.
#define JOINTRIG_NAMED_LAYOUTS(X) \
  X(kTuning, "tuning")            \
  X(kBringUp, "bring-up")         \
  X(kDemo, "demo")
JOINTRIG_ENUM(NamedLayout, JOINTRIG_NAMED_LAYOUTS)

///     tuning     few joints in full beside wide plots
///     bring-up   every joint as a row, events, faults
///     demo       the robot large, joints as chips
void show(NamedLayout layout, ViewState& state);

/// The present layout, without the window's size and magnification.
Layout layout_of(const ViewState& state, const MotorPanel& panel);
void apply(const Layout& layout, ViewState& state, MotorPanel& panel);

}  // namespace jointrig::gui
