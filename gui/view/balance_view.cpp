#include "gui/view/balance_view.h"

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr float kFill = 0.25F;  // lets the feet be seen

void support(const ViewContext& ctx, const Balance& balance, const OnScreen& on_screen) {
  std::vector<ImVec2> corners;
  for (const Point3& corner : balance.support) {
    const auto at = on_screen(corner);
    if (!at) return;
    corners.push_back(*at);
  }
  const int count = static_cast<int>(corners.size());
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddConvexPolyFilled(corners.data(), count, colour(ctx.theme().good, kFill));
  draw->AddPolyline(corners.data(), count, colour(ctx.theme().good), ImDrawFlags_Closed, ctx.px(2));
}

void label(const ViewContext& ctx, ImVec2 at, Rgb ink, const char* text) {
  text_at(ImGui::GetWindowDrawList(), {at.x + ctx.px(8), at.y - ctx.px(7)}, ink, text);
}

void centre_of_mass(const ViewContext& ctx, const Balance& balance, const OnScreen& on_screen) {
  const auto com = on_screen(balance.com);
  const auto below = on_screen(balance.below);
  if (!com || !below) return;
  const Rgb ink = ctx.theme().text;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddLine(*com, *below, colour(ink, 0.6F), ctx.px(1));
  draw->AddCircle(*com, ctx.px(6), colour(ink), 0, ctx.px(2));
  draw->AddCircleFilled(*com, ctx.px(2), colour(ink));
  draw->AddCircleFilled(*below, ctx.px(3), colour(ink));
  label(ctx, *com, ink, "centre of mass");
}

void capture(const ViewContext& ctx, const Balance& balance, const OnScreen& on_screen) {
  const auto at = on_screen(balance.capture);
  if (!at) return;
  const Rgb ink = balance.inside ? ctx.theme().asked : ctx.theme().error;
  const float arm = ctx.px(6);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddLine({at->x - arm, at->y - arm}, {at->x + arm, at->y + arm}, colour(ink), ctx.px(2));
  draw->AddLine({at->x - arm, at->y + arm}, {at->x + arm, at->y - arm}, colour(ink), ctx.px(2));
  label(ctx, {at->x, at->y + ctx.px(12)}, ink, "capture point");
}

}  // namespace

void draw_balance(const ViewContext& ctx, const OnScreen& on_screen) {
  if (ctx.scene == nullptr || !ctx.scene->balance || !ctx.scene->shows.balance) return;
  const Balance& balance = *ctx.scene->balance;
  support(ctx, balance, on_screen);
  centre_of_mass(ctx, balance, on_screen);
  capture(ctx, balance, on_screen);
}

}  // namespace jointrig::gui
