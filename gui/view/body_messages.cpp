#include "gui/view/body_messages.h"

#include <fmt/core.h>

#include <utility>

#include "control/core/command_facts.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr float kAnswerLines = 5.0F;

// Messages by one click -------------------------------------------------------------------------

void home_button(const ViewContext& ctx, BodyDesk& desk, const std::string& name, HomePart part,
                 std::uint8_t hand = 0) {
  ImGui::SameLine();
  if (guarded_button((name + "##home").c_str(), desk.why_not(CommandKind::kGoHome),
                     "Goes to where it was when the controller began, in 2 s.")) {
    desk.go_home(part, hand);
  }
  ctx.note("body/home/" + name);
}

void homes(const ViewContext& ctx, BodyDesk& desk) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("Home");
  ImGui::SameLine();
  if (guarded_button("all##home", desk.why_not(CommandKind::kGoHome),
                     "Every arm, the chest and the pelvis: a message each.")) {
    desk.go_home_all();
  }
  ctx.note("body/home/all");
  const WholeBodyConfig& body = desk.config();
  for (std::size_t i = 0; i < body.hands.size(); ++i) {
    home_button(ctx, desk, body.hands[i].name + " arm", HomePart::kArm,
                static_cast<std::uint8_t>(i));
  }
  if (!body.chest.empty()) home_button(ctx, desk, "chest", HomePart::kChest);
  if (!body.pelvis.empty()) home_button(ctx, desk, "pelvis", HomePart::kPelvis);
}

void height_button(const ViewContext& ctx, BodyDesk& desk, const char* name, double by) {
  ImGui::SameLine();
  if (guarded_button(name, desk.why_not(CommandKind::kPelvisHeight),
                     "2 cm from where it is, in 2 s.")) {
    desk.change_height(by);
  }
  ctx.note(std::string("body/height/") + (by < 0.0 ? "down" : "up"));
}

void heights(const ViewContext& ctx, BodyDesk& desk) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("Pelvis");
  if (!desk.config().pelvis.empty()) {
    height_button(ctx, desk, "lower", -BodyDesk::kHeightStep);
    height_button(ctx, desk, "raise", BodyDesk::kHeightStep);
    ImGui::SameLine();
    ImGui::Text("%.0f mm", 1000.0 * desk.places.pelvis_height);
    tip("Height of the pelvis above the soles");
  }
  ImGui::SameLine(0, ctx.px(24));
  if (guarded_button("Stop all trajectories", desk.why_not(CommandKind::kStopAllTrajectories),
                     "All parts brake within 0.3 s and hold; it goes on standing.")) {
    desk.stop_all();
  }
  ctx.note("body/stop_all");
}

// The form ------------------------------------------------------------------------------------

/// A stream and accelerations have to keep coming: they are sent while the button is held.
void send(const ViewContext& ctx, BodyDesk& desk) {
  const std::string why = desk.why_not(desk.form.kind());
  if (!desk.form.is_streamed()) {
    if (guarded_button("Send", why)) desk.send();
  } else {
    guarded_button("Hold to send", why,
                   "Sent again and again while it is held; a point goes on by its speeds.");
    const bool is_down = ImGui::IsItemActive() && ImGui::IsItemHovered() && why.empty();
    is_down ? desk.hold(ctx.now()) : desk.release();
  }
  ctx.note("body/send");
}

/// Parts of a whole_body_trajectory.
void parts(const ViewContext& ctx, BodyDesk& desk) {
  const auto& all = desk.form.collected();
  if (all.empty()) ImGui::TextDisabled("Collect waypoints of other messages: each moves a part");
  std::size_t gone = all.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::SmallButton("×")) gone = i;
    ctx.note(fmt::format("body/part/{}", i + 1));
    ImGui::SameLine();
    ImGui::TextUnformatted(all[i].name.c_str());
    ImGui::PopID();
  }
  if (gone < all.size()) desk.form.leave_out(gone);
}

void kinds(const ViewContext& ctx, BodyDesk& desk) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("Message %u", desk.next_id());
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ctx.px(180));
  if (ImGui::BeginCombo("##kind", to_string(desk.form.kind()).data(),
                        ImGuiComboFlags_HeightLarge)) {
    for (const CommandKind kind : message_kinds()) {
      const std::string name(to_string(kind));
      if (ImGui::Selectable(name.c_str(), kind == desk.form.kind())) {
        desk.begin(kind, desk.form.hand());
      }
      ctx.note("body/kind/" + name);
    }
    ImGui::EndCombo();
  }
  ctx.note("body/kind");
  ImGui::SameLine();
  if (ImGui::Button("From here")) desk.begin(desk.form.kind(), desk.form.hand());
  ctx.note("body/here");
  tip("Begins anew: one waypoint, where the part is now.");
  ImGui::SameLine();
  send(ctx, desk);
  same_line_if_fits(ctx, ctx.px(84));
  if (guarded_button("Collect", desk.form.why_not_collect(),
                     "Into a whole_body_trajectory, which moves several parts at once.")) {
    desk.form.collect();
  }
  ctx.note("body/collect");
}

constexpr float kLabel = 84.0F;  // px at scale 1

/// The next of several items stands beside the last one, or below the first where the page ends.
void beside_or_below(const ViewContext& ctx, float width) {
  same_line_if_fits(ctx, width);
  if (ImGui::GetCursorPosX() < ctx.px(kLabel)) ImGui::SetCursorPosX(ctx.px(kLabel));
}

float radio_width(const std::string& word) {
  return ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + width_of(word);
}

template <typename Limb>
void limbs(const ViewContext& ctx, BodyDesk& desk, const std::string& field,
           const std::vector<Limb>& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) ImGui::SameLine();
    const auto hand = static_cast<std::uint8_t>(i);
    if (ImGui::RadioButton((all[i].name + "##limb").c_str(), desk.form.hand() == hand)) {
      desk.form.has_rows() ? desk.begin(desk.form.kind(), hand) : desk.form.set(field, hand);
    }
    ctx.note("body/" + field + "/" + all[i].name);
  }
}

void words(const ViewContext& ctx, BodyForm& form, const FieldInfo& info) {
  for (std::size_t i = 0; i < info.words.size(); ++i) {
    const std::string word(info.words[i]);
    if (i > 0) beside_or_below(ctx, radio_width(word));
    const auto number = static_cast<double>(i);
    if (ImGui::RadioButton((word + "##word").c_str(), form.field(info.name) == number)) {
      form.set(info.name, number);
    }
    ctx.note("body/" + std::string(info.name) + "/" + word);
  }
}

/// A typed value is taken at once, so that Send sends it; an error is told when the field is left.
void tell_error(const ViewContext& ctx, BodyDesk& desk) {
  if (!ImGui::IsItemDeactivated() || desk.typing_error.empty()) return;
  ctx.panel.tell(std::exchange(desk.typing_error, {}));
}

/// One number, or those of a vector beside each other.
void number(const ViewContext& ctx, BodyDesk& desk, const FieldInfo& info) {
  const std::string_view unit = info.quantity == QuantityKind::kTime     ? " s"
                                : info.quantity == QuantityKind::kLength ? " m"
                                : info.quantity == QuantityKind::kForce  ? " N"
                                                                         : "";
  for (std::size_t i = 0; i < info.most; ++i) {
    const std::string key = form_key(info, i);
    if (i > 0) beside_or_below(ctx, ctx.px(84));
    std::string text = fmt::format("{:g}{}", desk.form.field(key), unit);
    if (number_field(("##" + key).c_str(), text, ctx.px(84)))
      desk.typing_error = desk.form.type(key, text);
    tell_error(ctx, desk);
    ctx.note("body/" + key);
  }
}

void field(const ViewContext& ctx, BodyDesk& desk, const FieldInfo& info) {
  const std::string name(info.name);
  ImGui::PushID(name.c_str());
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", name.c_str());
  ImGui::SameLine(ctx.px(kLabel));
  if (info.range == Range::kHand) {
    limbs(ctx, desk, name, desk.config().hands);
  } else if (info.range == Range::kFoot) {
    limbs(ctx, desk, name, desk.config().feet);
  } else if (info.range == Range::kWord) {
    words(ctx, desk.form, info);
  } else if (info.range == Range::kFlag) {
    for (std::size_t i = 0; i < info.most; ++i) {
      const std::string key = form_key(info, i);
      if (i > 0) ImGui::SameLine();
      bool on = desk.form.field(key) != 0.0;
      if (ImGui::Checkbox(("##" + key).c_str(), &on)) desk.form.set(key, on ? 1.0 : 0.0);
      ctx.note("body/" + key);
    }
  } else {
    number(ctx, desk, info);
  }
  ImGui::PopID();
}

/// Without effect in this message.
bool is_idle(const BodyForm& form, const FieldInfo& info) {
  if (info.range == Range::kMessageId || info.is_list) return true;
  const bool is_whole = form.kind() == CommandKind::kWholeBodyTrajectory;
  // Those of its parts; and a stream's point has them always.
  if (info.name == "velocities") return is_whole || form.is_streamed();
  if (info.range == Range::kIntegration) {
    return form.field("execution") != static_cast<double>(Execution::kStream);
  }
  if (info.range == Range::kPreviousId) {
    return form.field("execution") != static_cast<double>(Execution::kQueue);
  }
  return form.kind() == CommandKind::kGoHome && info.range == Range::kHand &&
         form.field("part") != static_cast<double>(HomePart::kArm);
}

void cell(const ViewContext& ctx, BodyDesk& desk, std::size_t row, std::size_t column) {
  ImGui::TableNextColumn();
  ImGui::PushID(static_cast<int>(row));
  std::string text = desk.form.shown(row, column);
  if (number_field("##cell", text, -1.0F)) desk.typing_error = desk.form.type(row, column, text);
  tell_error(ctx, desk);
  ctx.note("body/row/" + std::to_string(row + 1) + "/" + desk.form.columns()[column].name);
  ImGui::PopID();
}

void waypoint_heads(const ViewContext& ctx, BodyDesk& desk) {
  ImGui::TableNextColumn();
  ImGui::BeginDisabled(desk.form.is_full());
  if (ImGui::Button("+ waypoint")) desk.form.add_row();
  ImGui::EndDisabled();
  ctx.note("body/add");
  tip("One more, at the place of the last one and 2 s later; at most 16.");
  std::size_t gone = desk.form.rows().size();
  for (std::size_t row = 0; row < desk.form.rows().size(); ++row) {
    ImGui::TableNextColumn();
    ImGui::PushID(static_cast<int>(row));
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%zu", row + 1);
    if (desk.form.rows().size() > 1) {
      ImGui::SameLine();
      if (ImGui::SmallButton("×")) gone = row;
      ctx.note("body/remove/" + std::to_string(row + 1));
    }
    ImGui::PopID();
  }
  if (gone < desk.form.rows().size()) desk.form.remove_row(gone);
}

/// A column for each waypoint, a row for each of its numbers: an arm has up to eleven.
void waypoints(const ViewContext& ctx, BodyDesk& desk) {
  const int count = static_cast<int>(desk.form.rows().size());
  const float height = ImGui::GetFrameHeight() + 2.0F * ImGui::GetStyle().CellPadding.y;
  const float room =
      height * static_cast<float>(desk.form.columns().size() + 1) + ImGui::GetStyle().ScrollbarSize;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_ScrollX;
  // A number of columns of its own: ImGui keeps a table's by its name.
  if (!ImGui::BeginTable(fmt::format("waypoints {}", count).c_str(), count + 1, kFlags,
                         {0, room})) {
    return;
  }
  ImGui::TableSetupScrollFreeze(1, 0);
  ImGui::TableSetupColumn("", 0, ctx.px(130));
  for (int i = 0; i < count; ++i) ImGui::TableSetupColumn("", 0, ctx.px(70));
  for (std::size_t column = 0; column < desk.form.columns().size(); ++column) {
    ImGui::PushID(static_cast<int>(column));
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    const std::string unit = desk.form.unit_of(column);
    ImGui::Text("%s %s", desk.form.columns()[column].name.c_str(), unit.c_str());
    for (int row = 0; row < count; ++row) cell(ctx, desk, static_cast<std::size_t>(row), column);
    ImGui::PopID();
  }
  waypoint_heads(ctx, desk);
  ImGui::EndTable();
}

void form(const ViewContext& ctx, BodyDesk& desk) {
  kinds(ctx, desk);
  for (const FieldInfo& info : fields_of(desk.form.kind())) {
    if (!is_idle(desk.form, info)) field(ctx, desk, info);
  }
  if (desk.form.kind() == CommandKind::kWholeBodyTrajectory) parts(ctx, desk);
  if (desk.form.has_rows()) waypoints(ctx, desk);
}

// Answers -----------------------------------------------------------------------------------

Rgb ink_of(const Theme& theme, AnswerState state) {
  switch (state) {
    case AnswerState::kRefused:
      return theme.error;
    case AnswerState::kCompleted:
      return theme.good;
    case AnswerState::kStarted:
      return theme.asked;
    case AnswerState::kReplaced:
    case AnswerState::kDropped:
      return theme.warning;
    case AnswerState::kAccepted:
      break;
  }
  return theme.text;
}

void answers(const ViewContext& ctx, const BodyDesk& desk) {
  ImGui::TextDisabled("Answers, the newest first");
  const float height = kAnswerLines * ImGui::GetTextLineHeightWithSpacing();
  ImGui::BeginChild("answers", {0, height}, true);
  for (auto answer = desk.answers().rbegin(); answer != desk.answers().rend(); ++answer) {
    ImGui::PushStyleColor(ImGuiCol_Text, colour(ink_of(ctx.theme(), answer->state)));
    ImGui::TextWrapped("%s", BodyDesk::answer_text(*answer).c_str());
    ImGui::PopStyleColor();
  }
  ImGui::EndChild();
  ctx.note("body/answers");
}

}  // namespace

void draw_body_messages(const ViewContext& ctx) {
  BodyDesk& desk = ctx.desks.body;
  homes(ctx, desk);
  heights(ctx, desk);
  ImGui::Separator();
  form(ctx, desk);
  answers(ctx, desk);
}

}  // namespace jointrig::gui
