#include "gui/view/joint_area.h"

#include <algorithm>

#include "gui/view/box_grid.h"
#include "gui/view/joint_box.h"
#include "gui/view/joint_row.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

/// A part's name, with a mark if one of its joints is in fault.
std::string tab_label(const MotorPanel& panel, int part) {
  const RobotConfig& config = panel.config();
  int faults = 0;
  std::size_t joints = config.joints.size();
  const auto count = [&](JointIndex joint) {
    if (panel.snapshot().joints[joint].mode == JointMode::kHwFault) ++faults;
  };
  std::string name = "all";
  if (part < 0) {
    for (std::size_t i = 0; i < joints; ++i) count(static_cast<JointIndex>(i));
  } else {
    const PartConfig& p = config.parts[static_cast<std::size_t>(part)];
    joints = p.joints.size();
    name = p.name;
    for (const JointIndex joint : p.joints) count(joint);
  }
  return name + " (" + std::to_string(joints) + ")" +
         (faults > 0 ? "  ! " + std::to_string(faults) : "");
}

void part_tabs(const ViewContext& ctx) {
  MotorPanel& panel = ctx.panel;
  const int parts = static_cast<int>(panel.config().parts.size());
  for (int part = -1; part < parts; ++part) {
    const bool chosen = panel.part == part;
    const Theme& theme = ctx.theme();
    const std::string label = tab_label(panel, part);
    ImGui::PushID(part);
    ImGui::PushStyleColor(ImGuiCol_Button, colour(chosen ? theme.accent : theme.raised));
    ImGui::PushStyleColor(ImGuiCol_Text, colour(chosen ? theme.window : theme.text));
    if (ImGui::Button((label + "###tab").c_str())) panel.part = part;
    ctx.note("tab/" + (part < 0 ? std::string("all")
                                : panel.config().parts[static_cast<std::size_t>(part)].name));
    ImGui::PopStyleColor(2);
    ImGui::PopID();
    if (part + 1 < parts) same_line_if_fits(ctx, button_width(tab_label(panel, part + 1)));
  }
}

void filter_and_size(const ViewContext& ctx) {
  text_field("##filter", "filter: name, mode:torque, is:fault", ctx.panel.filter, ctx.px(240));
  ctx.note("filter");
  ImGui::SameLine();
  for (const BoxSize size : kAllBoxSize) {
    if (ImGui::RadioButton(std::string(to_string(size)).c_str(), ctx.state.box_size == size)) {
      ctx.state.box_size = size;
    }
    ctx.note("size/" + std::string(to_string(size)));
    ImGui::SameLine();
  }
}

void poses(const ViewContext& ctx) {
  MotorPanel& panel = ctx.panel;
  if (panel.config().poses.empty()) return;
  if (ImGui::Button("Poses ▾")) ImGui::OpenPopup("poses");
  ctx.note("poses");
  if (!ImGui::BeginPopup("poses")) return;
  const bool armed = panel.access() == Access::kArmed;
  for (const PoseConfig& pose : panel.config().poses) {
    ImGui::BeginDisabled(!armed);
    if (ImGui::MenuItem(pose.name.c_str())) panel.acts.go_to(pose, panel.group());
    ImGui::EndDisabled();
    ctx.note("pose/" + pose.name);
    tip(armed ? "Moves the shown joints that are in position or mixed." : "not ARMED");
  }
  ImGui::EndPopup();
}

float heading_height(const ViewContext& ctx) { return ImGui::GetTextLineHeight() + ctx.px(3); }

/// Places boxes from left to right.
class Flow {
 public:
  Flow(const ViewContext& ctx, const BoxGrid& grid, float width)
      : ctx_(&ctx),
        size_(grid.size),
        from_(ImGui::GetCursorScreenPos()),
        at_(from_),
        width_(width),
        box_(grid.box),
        gap_(grid.gap) {}

  void heading(const std::string& text) {
    if (at_.x > from_.x) new_line();
    ImGui::SetCursorScreenPos(at_);
    ImGui::TextDisabled("%s", text.c_str());
    at_.y += heading_height(*ctx_);
  }
  void box(JointIndex joint) {
    if (at_.x > from_.x && at_.x + box_.x > from_.x + width_ + 1.0F) new_line();
    ImGui::PushID(joint);
    ImGui::SetCursorScreenPos(at_);
    if (joint == ctx_->state.reveal) {
      ImGui::SetScrollFromPosY(at_.y + 0.5F * box_.y - ImGui::GetWindowPos().y);
      ctx_->state.reveal = kNoJoint;
    }
    if (ImGui::IsRectVisible(at_, {at_.x + box_.x, at_.y + box_.y})) {
      draw(joint);
    }
    ImGui::PopID();
    at_.x += box_.x + gap_;
  }
  void finish() {
    if (at_.x > from_.x) new_line();
    // Not below the last gap: boxes that fill the page would get a scroll bar.
    ImGui::SetCursorScreenPos({from_.x, at_.y - gap_ - 1.0F});
    ImGui::Dummy({1, 1});
  }

 private:
  void draw(JointIndex joint) {
    switch (size_) {
      case BoxSize::kFull:
        return draw_full(*ctx_, joint, at_, box_);
      case BoxSize::kRow:
        return draw_row(*ctx_, joint, at_, box_);
      default:
        return draw_chip(*ctx_, joint, at_, box_);
    }
  }
  void new_line() { at_ = {from_.x, at_.y + box_.y + gap_}; }

  const ViewContext* ctx_;
  BoxSize size_;
  ImVec2 from_;
  ImVec2 at_;
  float width_;
  ImVec2 box_;
  float gap_;
};

const PartConfig* part_of(const RobotConfig& config, JointIndex joint) {
  for (const PartConfig& part : config.parts) {
    if (std::find(part.joints.begin(), part.joints.end(), joint) != part.joints.end()) return &part;
  }
  return nullptr;
}

/// How many joints stand under each heading.
std::vector<std::size_t> group_sizes(const RobotConfig& config,
                                     const std::vector<JointIndex>& shown) {
  std::vector<std::size_t> sizes;
  const PartConfig* before = nullptr;
  for (const JointIndex joint : shown) {
    const PartConfig* const part = part_of(config, joint);
    if (sizes.empty() || part != before) sizes.push_back(0);
    ++sizes.back();
    before = part;
  }
  return sizes;
}

void boxes(const ViewContext& ctx, const std::vector<JointIndex>& shown) {
  const ImVec2 all = ImGui::GetContentRegionAvail();
  // The frame around the selected box lies outside of it.
  const ImVec2 room{all.x - ctx.px(4), all.y - ctx.px(6)};
  BoxGrid grid = grid_of(ctx.state.box_size, shown.size(), room, ctx.fonts.scale);
  // For "all" a heading for each part; full boxes need none, nor do rows that all fit.
  const bool with_headings = ctx.panel.part < 0 && !ctx.panel.config().parts.empty() &&
                             grid.size != BoxSize::kFull &&
                             !(ctx.state.box_size == BoxSize::kAuto && grid.size == BoxSize::kRow);
  if (with_headings && grid.size == BoxSize::kChip) {
    fill_below_headings(grid, group_sizes(ctx.panel.config(), shown), heading_height(ctx), room,
                        ctx.fonts.scale);
  }
  Flow flow(ctx, grid, room.x);
  const PartConfig* before = nullptr;
  bool first = true;
  for (const JointIndex joint : shown) {
    const PartConfig* part = with_headings ? part_of(ctx.panel.config(), joint) : nullptr;
    if (with_headings && (first || part != before)) {
      flow.heading(part != nullptr ? part->name : "other joints");
    }
    first = false;
    before = part;
    flow.box(joint);
  }
  if (shown.empty()) ImGui::TextDisabled("No joint fits \"%s\".", ctx.panel.filter.c_str());
  flow.finish();
}

}  // namespace

void draw_joint_area(const ViewContext& ctx, ImVec2 size) {
  ImGui::BeginChild("joints", size);
  part_tabs(ctx);
  filter_and_size(ctx);
  poses(ctx);
  ImGui::Spacing();
  ImGui::BeginChild("boxes", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
  // A frame around the selected box extends a little beyond it.
  ImGui::SetCursorPos({ctx.px(4), ctx.px(4)});
  boxes(ctx, ctx.panel.shown());
  ImGui::EndChild();
  ImGui::EndChild();
}

}  // namespace jointrig::gui
