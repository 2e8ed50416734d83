#include "gui/window/opaque_fills.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gui/window/draw_list.h"

namespace jointrig::gui {
namespace {

/// True if these indices are a rectangle as ImDrawList::PrimRect writes it, in one opaque colour.
bool is_opaque_rectangle(const ImDrawIdx* i, const ImDrawVert* vertices, ImVec2 white) noexcept {
  return is_rectangle(i, vertices) && is_opaque(vertices[i[0]].col) &&
         same(vertices[i[0]].uv, white) && same(vertices[i[2]].uv, white);
}

/// Pixels whose centres are inside the rectangle and its clip; absent: too few.
std::optional<OpaqueFills::Fill> pixels_of(const ImDrawData& drawn, const ImVec4& clip,
                                           const ImDrawVert& from, const ImDrawVert& to) {
  const ImVec2 scale = drawn.FramebufferScale;
  const auto x_of = [&](float x) { return std::floor((x - drawn.DisplayPos.x) * scale.x + 0.5F); };
  const auto y_of = [&](float y) { return std::floor((y - drawn.DisplayPos.y) * scale.y + 0.5F); };
  const float left = std::max(x_of(from.pos.x), x_of(clip.x));
  const float right = std::min(x_of(to.pos.x), x_of(clip.z));
  const float top = std::max(y_of(from.pos.y), y_of(clip.y));
  const float bottom = std::min(y_of(to.pos.y), y_of(clip.w));
  if (right <= left || bottom <= top ||
      (right - left) * (bottom - top) < OpaqueFills::kLeastPixels) {
    return std::nullopt;
  }
  const float height = drawn.DisplaySize.y * scale.y;
  return OpaqueFills::Fill{static_cast<int>(left), static_cast<int>(height - bottom),
                           static_cast<int>(right - left), static_cast<int>(bottom - top),
                           from.col};
}

}  // namespace

void OpaqueFills::run(const ImDrawList* /*list*/, const ImDrawCmd* command) {
  const Job& job = *static_cast<const Job*>(command->UserCallbackData);
  job.clear(job.fill);
}

void OpaqueFills::take_out(ImDrawData& drawn) {
  jobs_.clear();
  for (int i = 0; i < drawn.CmdListsCount; ++i) take_out(drawn, *drawn.CmdLists[i]);
}

void OpaqueFills::take_out(const ImDrawData& drawn, ImDrawList& list) {
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  commands_.resize(0);
  for (const ImDrawCmd& command : list.CmdBuffer) {
    ImDrawCmd rest = command;
    const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
    const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
    unsigned at = 0;
    unsigned done = 0;
    const bool drawable = command.UserCallback == nullptr;
    while (drawable && at + kRectangle <= command.ElemCount) {
      const bool found = is_opaque_rectangle(indices + at, vertices, white);
      const auto fill = found ? pixels_of(drawn, command.ClipRect, vertices[indices[at]],
                                          vertices[indices[at + 2]])
                              : std::nullopt;
      if (!fill) {
        at += found ? kRectangle : 3;
        continue;
      }
      rest.IdxOffset = command.IdxOffset + done;
      rest.ElemCount = at - done;
      if (rest.ElemCount > 0) commands_.push_back(rest);
      ImDrawCmd clear = command;
      clear.ElemCount = 0;
      clear.UserCallback = run;
      clear.UserCallbackData = &jobs_.emplace_back(Job{*fill, clear_});
      commands_.push_back(clear);
      at += kRectangle;
      done = at;
    }
    rest.IdxOffset = command.IdxOffset + done;
    rest.ElemCount = command.ElemCount - done;
    if (rest.ElemCount > 0 || !drawable) commands_.push_back(rest);
  }
  list.CmdBuffer.swap(commands_);
}

}  // namespace jointrig::gui
