#include "gui/view/layout.h"

#include <algorithm>

namespace jointrig::gui {

Layout layout_of(const ViewState& state, const MotorPanel& panel) {
  Layout layout;
  layout.boxes = state.box_size;
  layout.side = state.side;
  layout.side_part = state.side_part;
  layout.events_part = state.events_part;
  layout.scene_open = state.scene_open;
  layout.scene_part = state.scene_part;
  layout.events = state.least;
  layout.palette = panel.palette;
  return layout;
}

void apply(const Layout& layout, ViewState& state, MotorPanel& panel) {
  state.box_size = layout.boxes;
  state.side = layout.side;
  // Within the limits of the splitters, so that no area disappears beyond an edge.
  state.side_part = std::clamp(layout.side_part, 0.1F, 0.7F);
  state.events_part = std::clamp(layout.events_part, 0.05F, 0.6F);
  state.scene_open = layout.scene_open;
  state.scene_part = std::clamp(layout.scene_part, 0.12F, 0.85F);
  state.least = layout.events;
  panel.palette = layout.palette;
}

void show(NamedLayout layout, ViewState& state) {
  state.scene_open = layout == NamedLayout::kDemo;
  switch (layout) {
    case NamedLayout::kTuning:
      state.box_size = BoxSize::kFull;
      state.side = SideTab::kPlots;
      state.side_part = 0.5F;
      state.events_part = 0.1F;
      return;
    case NamedLayout::kBringUp:
      state.box_size = BoxSize::kRow;
      state.side = SideTab::kFaults;
      state.side_part = 0.3F;
      state.events_part = 0.3F;
      return;
    case NamedLayout::kDemo:
      state.box_size = BoxSize::kChip;
      state.side = SideTab::kPlots;
      state.side_part = 0.55F;
      state.events_part = 0.08F;
      state.scene_part = 0.65F;
      return;
  }
}

}  // namespace jointrig::gui
