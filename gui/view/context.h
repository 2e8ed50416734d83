#pragma once
/// Context of all drawing functions. The view stores sizes, text being typed and buttons being
/// held; panel and plots store everything else.

#include <imgui.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gui/panel/desks.h"
#include "gui/panel/panel.h"
#include "gui/plot/column_cache.h"
#include "gui/plot/oscillation.h"
#include "gui/plot/plot_layout.h"
#include "gui/plot/plot_set.h"
#include "gui/scene3d/scene3d.h"
#include "gui/view/theme.h"

namespace jointrig::gui {

struct Fonts {
  ImFont* plain = nullptr;
  ImFont* bold = nullptr;
  ImFont* small = nullptr;
  ImFont* large = nullptr;  ///< capital letters alone
  float scale = 1.0F;       ///< scale of the monitor
};

/// Call once, after ImGui::CreateContext and before the first frame. Uses DejaVu Sans, for
/// °, ², τ, from the folder `own` or else the system's; where there is none, ImGui's own font.
Fonts load_fonts(float scale, const std::filesystem::path& own = {});

/// Places of items in the last frame, by names such as "joint/r_elbow/run": for tests.
using ItemMap = std::map<std::string, ImVec4>;

#define JOINTRIG_BOX_SIZES(X) \
  X(kAuto, "auto")            \
  X(kChip, "chips")           \
  X(kRow, "rows")             \
  X(kFull, "full")
JOINTRIG_ENUM(BoxSize, JOINTRIG_BOX_SIZES)

#define JOINTRIG_SIDE_TABS(X) \
  X(kPlots, "Plots")          \
  X(kFaults, "Faults")        \
  X(kJoint, "Joint")          \
  X(kCartesian, "Cartesian")  \
  X(kBody, "Whole-body")      \
  X(kSequence, "Sequence")    \
  X(kMotion, "Motion")        \
  X(kScenario, "Scenario")    \
  X(kParameters, "Parameters")
JOINTRIG_ENUM(SideTab, JOINTRIG_SIDE_TABS)

struct ViewState {
  BoxSize box_size = BoxSize::kAuto;
  SideTab side = SideTab::kPlots;
  float side_part = 0.34F;    ///< share of the window's width
  float events_part = 0.17F;  ///< share of its height
  EventSeverity least = EventSeverity::kInfo;
  std::string event_filter;
  std::optional<EventFamily> event_family;  ///< none: every kind
  bool events_follow = true;                ///< the newest event stays in sight
  float events_scroll = 0.0F;               ///< of the last frame [px]
  float events_end = 0.0F;                  ///< likewise, the largest possible
  std::string signal_filter;
  bool help = false;
  bool wants_screenshot = false;
  bool wants_marker = false;
  int wants_size = 0;  ///< steps to larger or smaller text
  bool wants_full_screen = false;
  bool wants_csv = false;
  bool wants_mcap = false;
  bool wants_plot_picture = false;
  ImVec4 plot_area{};                  ///< area of all plots, for their picture
  float axis_width = 0.0F;             ///< beside the plots [px]
  float axis_needed = 0.0F;            ///< widest label of this frame [px]
  std::optional<double> pointer_next;  ///< found in this frame
  std::optional<double> pointer_time;  ///< of the pointer in a plot [s of the history]
  std::vector<PlotLayout> plot_sets;
  std::string plot_note;           ///< result of a set or an export: an error, or the file
  std::string plot_set_name;       ///< text being typed
  bool plot_sets_changed = false;  ///< must be saved
  std::map<std::size_t, ColumnCache> columns;  ///< by signal
  HoldGuard arm_by_key;
  SwingWatch swings;  ///< joints that swing by themselves
  std::map<ImGuiID, HoldGuard> holds;
  JointIndex plotted = kNoJoint;
  bool scene_open = true;
  float scene_part = 0.36F;      ///< share of the side's height
  JointIndex reveal = kNoJoint;  ///< scroll to its box
  bool scene_dragged = false;    ///< the mouse has moved since it was pressed in the 3D view
  // A box being drawn in a plot [s], and the point of the press.
  bool boxing = false;
  ImVec2 box_from{};
  int cursor_held = 0;  ///< 1: A, 2: B
};

struct ViewContext {
  MotorPanel& panel;
  PlotSet& plots;
  const History& history;
  ViewState& state;
  const Fonts& fonts;
  Desks& desks;
  ItemMap* items = nullptr;  ///< null: not recorded
  Scene3d* scene = nullptr;  ///< null: no 3D view

  [[nodiscard]] float px(float at_scale_1) const noexcept { return at_scale_1 * fonts.scale; }
  [[nodiscard]] const Theme& theme() const noexcept { return theme_of(panel.palette); }
  [[nodiscard]] double now() const noexcept { return panel.frame().now; }
  /// Records the place of the last item.
  void note(const std::string& name) const;
};

/// Payloads for dragging onto a plot: a signal's number, a JointIndex.
inline constexpr const char* kDraggedSignal = "signal";
inline constexpr const char* kDraggedJoint = "joint";

/// Mixes `part` of b with the rest of a.
Rgb mixed(Rgb a, Rgb b, double part) noexcept;
/// Converts a colour for ImDrawList.
ImU32 colour(Rgb rgb, float alpha = 1.0F) noexcept;
ImVec4 colour4(Rgb rgb, float alpha = 1.0F) noexcept;

/// Sets the theme's colours for ImGui's own widgets.
void apply_theme(const Theme& theme, float scale);

}  // namespace jointrig::gui
