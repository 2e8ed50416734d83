#include "gui/view/wait_page.h"

#include <fmt/core.h>

#include "gui/panel/silence.h"

namespace jointrig::gui {
namespace {

const Theme& wait_theme() { return theme_of(Palette::kIcubDark); }

void note_item(const WaitPage& page, const std::string& name) {
  if (page.items == nullptr) return;
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  (*page.items)[name] = {from.x, from.y, to.x, to.y};
}

Rgb rgb_of_heard(Heard heard) {
  switch (heard) {
    case Heard::kReady:
      return wait_theme().good;
    case Heard::kNotAsked:
      return wait_theme().soft;
    case Heard::kNothing:
      return wait_theme().warning;
    case Heard::kProblem:
      return wait_theme().error;
  }
  return wait_theme().text;
}

void wrapped(Rgb rgb, const std::string& words) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour(rgb));
  ImGui::TextWrapped("%s", words.c_str());
  ImGui::PopStyleColor();
}

void wait_head(const WaitPage& page) {
  ImGui::PushFont(page.fonts.bold);
  ImGui::Text("%s: %zu of %zu boards are there", page.robot.c_str(), page.wait.ready(),
              page.wait.boards());
  ImGui::PopFont();
  const std::string state = page.looking ? "looking for them" : "the next try is in a moment";
  wrapped(wait_theme().soft,
          fmt::format("{}; tries so far: {}. The panel opens by itself when all are "
                      "there. No motor is on.",
                      state, page.wait.tries()));
  ImGui::Spacing();
}

void board_row(const WaitPage& page, const WaitedBoard& board) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(board.joint.c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(board.address.c_str());
  ImGui::TableNextColumn();
  wrapped(rgb_of_heard(board.heard), heard_text(board));
  note_item(page, "wait/" + board.joint);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(silent_for_text(page.now - board.since).c_str());
}

void bus_table(const WaitPage& page, const WaitedBus& bus) {
  ImGui::Spacing();
  ImGui::PushFont(page.fonts.bold);
  ImGui::Text("bus %s", bus.name.c_str());
  ImGui::PopFont();
  ImGui::SameLine();
  ImGui::TextDisabled("%s", bus.address.c_str());
  note_item(page, "wait/bus/" + bus.name);
  if (!bus.problem.empty()) {
    wrapped(wait_theme().error, bus.problem + " (" + silent_for_text(page.now - bus.since) + ")");
  }
  const float scale = page.fonts.scale;
  if (!ImGui::BeginTable(bus.name.c_str(), 4, ImGuiTableFlags_BordersInnerH)) return;
  ImGui::TableSetupColumn("joint", ImGuiTableColumnFlags_WidthFixed, 180.0F * scale);
  ImGui::TableSetupColumn("number", ImGuiTableColumnFlags_WidthFixed, 90.0F * scale);
  ImGui::TableSetupColumn("heard", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("since", ImGuiTableColumnFlags_WidthFixed, 90.0F * scale);
  for (const WaitedBoard& board : bus.boards) board_row(page, board);
  ImGui::EndTable();
}

void draw_advice(const WaitPage& page) {
  const std::vector<std::string> lines = page.wait.advice();
  for (const std::string& other : page.wait.others()) wrapped(wait_theme().error, other);
  if (lines.empty()) return;
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::PushFont(page.fonts.bold);
  ImGui::TextUnformatted("Try this");
  ImGui::PopFont();
  for (const std::string& line : lines) wrapped(wait_theme().text, "• " + line);
}

WaitChoice wait_buttons(const WaitPage& page) {
  WaitChoice choice = WaitChoice::kNone;
  const auto button = [&](const char* label, const char* name, WaitChoice meaning) {
    if (ImGui::Button(label)) choice = meaning;
    note_item(page, name);
    ImGui::SameLine();
  };
  button("Try now", "wait/try_now", WaitChoice::kTryNow);
  button("Open in simulation, without the boards", "wait/simulation", WaitChoice::kSimulation);
  button("Quit", "wait/quit", WaitChoice::kQuit);
  ImGui::NewLine();
  return choice;
}

}  // namespace

WaitChoice draw_wait_page(const WaitPage& page) {
  apply_theme(wait_theme(), page.fonts.scale);
  if (page.items != nullptr) page.items->clear();
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport.WorkPos);
  ImGui::SetNextWindowSize(viewport.WorkSize);
  constexpr ImGuiWindowFlags kWaitPage =
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
  ImGui::Begin("waiting", nullptr, kWaitPage);
  ImGui::PushFont(page.fonts.plain);
  wait_head(page);
  const WaitChoice choice = wait_buttons(page);
  // Many boards scroll; head and buttons stay in reach.
  ImGui::BeginChild("boards");
  for (const WaitedBus& bus : page.wait.buses()) bus_table(page, bus);
  draw_advice(page);
  ImGui::EndChild();
  ImGui::PopFont();
  ImGui::End();
  return choice;
}

}  // namespace jointrig::gui
