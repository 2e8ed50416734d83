#include "gui/view/motion_path.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

using OnPicture = std::function<std::optional<ImVec2>(const Point3&)>;

constexpr float kOutdated = 0.35F;     // opacity of a line of waypoints that have changed since
constexpr float kUnreached = 0.45F;    // of what lies behind a refusal
constexpr float kGround = 0.75F;       // opacity of the ground of a text
constexpr float kLeastSegment = 2.0F;  // shorter ones aren't seen [px at scale 1]

/// Draws one line; asks for the place of no point twice.
class LinePainter {
 public:
  LinePainter(const ViewContext& ctx, const MotionAnswer& answer, const MotionLine& line,
              const OnPicture& on_screen, float opacity)
      : ctx_(&ctx), answer_(&answer), line_(&line), on_screen_(&on_screen), opacity_(opacity) {}

  void draw(bool has_dots) const {
    if (!line_->points.empty()) ways();
    if (!has_dots) return;
    for (std::size_t i = 0; i < line_->waypoints.size(); ++i) dot(i);
  }

  void ways() const {
    const double never = std::numeric_limits<double>::infinity();
    const bool meets = std::isfinite(answer_->meets_at);
    const double end = meets ? refused_until() : never;
    way(-never, meets ? answer_->meets_at : never, ctx_->theme().accent, 1.0F);
    if (meets) way(answer_->meets_at, end, ctx_->theme().error, 1.0F);
    if (meets) way(end, never, ctx_->theme().soft, kUnreached);
  }

  /// A ring around the place at a time.
  void ring(double time, Rgb ink, const std::string& words) const {
    const auto at = (*on_screen_)(place(time));
    if (!at) return;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddCircle(*at, ctx_->px(8), colour(ink), 0, ctx_->px(2.5F));
    draw->AddCircleFilled(*at, ctx_->px(3), colour(ink));
    if (!words.empty()) label({at->x + ctx_->px(10), at->y + ctx_->px(9)}, ink, words);
  }

 private:
  [[nodiscard]] double refused_until() const {
    const std::size_t waypoint = answer_->waypoint;
    return waypoint >= 1 && waypoint <= answer_->times.size() ? answer_->times[waypoint - 1]
                                                              : answer_->duration;
  }

  [[nodiscard]] Point3 place(double time) const {
    const std::vector<double>& times = line_->times;
    const auto after = std::lower_bound(times.begin(), times.end(), time);
    if (after == times.begin()) return line_->points.front();
    if (after == times.end()) return line_->points.back();
    const auto next = static_cast<std::size_t>(after - times.begin());
    const double part = (time - times[next - 1]) / (times[next] - times[next - 1]);
    Point3 at{};
    for (std::size_t i = 0; i < at.size(); ++i) {
      at[i] =
          line_->points[next - 1][i] + part * (line_->points[next][i] - line_->points[next - 1][i]);
    }
    return at;
  }

  /// The part between two times, in one colour.
  void way(double from, double to, Rgb ink, float opacity) const {
    std::vector<ImVec2> shown;
    const auto add = [&](const Point3& point) {
      const auto at = (*on_screen_)(point);
      if (!at) return;
      const bool is_near =
          !shown.empty() && std::abs(at->x - shown.back().x) + std::abs(at->y - shown.back().y) <
                                ctx_->px(kLeastSegment);
      if (!is_near) shown.push_back(*at);
    };
    if (std::isfinite(from)) add(place(from));
    for (std::size_t i = 0; i < line_->times.size(); ++i) {
      if (line_->times[i] > from && line_->times[i] < to) add(line_->points[i]);
    }
    if (std::isfinite(to)) add(place(to));
    ImGui::GetWindowDrawList()->AddPolyline(shown.data(), static_cast<int>(shown.size()),
                                            colour(ink, opacity * opacity_), 0, ctx_->px(2.5F));
  }

  void dot(std::size_t i) const {
    const auto at = (*on_screen_)(line_->waypoints[i]);
    if (!at) return;
    const bool is_refused = !answer_->has_passed() && answer_->waypoint == i + 1;
    const Rgb ink = is_refused ? ctx_->theme().error : ctx_->theme().accent;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddCircleFilled(*at, ctx_->px(5), colour(ink, opacity_));
    draw->AddCircle(*at, ctx_->px(5), colour(ctx_->theme().window, opacity_), 0, ctx_->px(1));
    label({at->x + ctx_->px(7), at->y - ctx_->px(16)},
          is_refused ? ctx_->theme().error : ctx_->theme().text, fmt::format("{}", i + 1));
  }

  /// On a ground of its own: behind it may be a white robot, or a red ghost.
  void label(ImVec2 at, Rgb ink, const std::string& words) const {
    const float gap = ctx_->px(2);
    const ImVec2 to{at.x + width_of(words) + gap, at.y + ImGui::GetFontSize() + gap};
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled({at.x - gap, at.y}, to, colour(ctx_->theme().window, kGround * opacity_));
    text_at(draw, at, ink, words);
  }

  const ViewContext* ctx_;
  const MotionAnswer* answer_;
  const MotionLine* line_;
  const OnPicture* on_screen_;
  float opacity_;
};

bool is_shown(const ViewContext& ctx) {
  return ctx.desks.motion.running() || ctx.state.side == SideTab::kMotion;
}

}  // namespace

const std::vector<double>* refused_pose(const ViewContext& ctx) {
  const MotionDesk& desk = ctx.desks.motion;
  const MotionAnswer* answer = desk.answer();
  const bool is_refused = desk.state() == MotionState::kRefused && !desk.running();
  if (ctx.state.side != SideTab::kMotion || !is_refused || answer == nullptr) return nullptr;
  return answer->meets_q.empty() ? nullptr : &answer->meets_q;
}

void draw_motion_path(const ViewContext& ctx, const OnPicture& on_screen) {
  const MotionDesk& desk = ctx.desks.motion;
  if (!is_shown(ctx)) return;
  const MotionAnswer unplanned;
  for (const MotionLine& line : desk.marks()) {
    LinePainter(ctx, unplanned, line, on_screen, 1.0F).draw(true);
  }
  const MotionAnswer* answer = desk.shown();
  if (answer == nullptr) return;
  const float opacity = desk.running() || desk.is_current() ? 1.0F : kOutdated;
  for (const MotionLine& line : answer->lines) {
    const LinePainter painter(ctx, *answer, line, on_screen, opacity);
    painter.draw(desk.running() || desk.marks().empty());
    if (line.points.empty()) continue;
    if (const auto time = desk.path_time()) painter.ring(*time, ctx.theme().asked, "");
    if (std::isfinite(answer->meets_at) && desk.is_current()) {
      painter.ring(answer->meets_at, ctx.theme().error, answer->meets);
    }
  }
}

}  // namespace jointrig::gui
