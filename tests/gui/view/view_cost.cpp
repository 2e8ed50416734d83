/// Measures a frame of the panel without OpenGL: 53 joints, 8 plots of a minute at 1 kHz.
///
///     view_cost        prints a table for docs/panel.md

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "gui/window/tiled_picture.h"
#include "tests/gui/view/headless_view.h"

namespace jointrig::gui {
namespace {

constexpr std::size_t kJoints = 53;
constexpr int kSeconds = 60;
constexpr int kFrames = 200;

/// A minute in which every signal moves.
void fill(testing::HeadlessView& view, testing::RigWithPanel& t) {
  Snapshot snapshot = t.rig.stack.snapshot();
  for (int i = 0; i < kSeconds * 1000; ++i) {
    ++snapshot.cycle;
    snapshot.time_ns += 1'000'000;
    for (std::size_t j = 0; j < kJoints; ++j) {
      JointSnapshot& joint = snapshot.joints[j];
      joint.state.q = 1e-3 * ((i * 7 + static_cast<int>(j) * 13) % 1000);
      joint.state.tau = 1e-2 * ((i * 31) % 500);
    }
    view.history.push(snapshot);
  }
}

/// The median: others use the machine, too.
double frame_ms(testing::HeadlessView& view) {
  std::vector<double> took;
  for (int i = 0; i < kFrames; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    view.draw(true);
    const std::chrono::duration<double, std::milli> frame =
        std::chrono::steady_clock::now() - begin;
    took.push_back(frame.count());
  }
  std::nth_element(took.begin(), took.begin() + kFrames / 2, took.end());
  return took[kFrames / 2];
}

/// Measures drawing the pictures, without ImGui's work before it.
class Drawing {
 public:
  Drawing() { picture_.use({memory_.data(), kWidth, kHeight, kWidth}); }
  double frame_ms(bool whole) {
    if (whole) picture_.forget();
    const auto begin = std::chrono::steady_clock::now();
    picture_.draw(*ImGui::GetDrawData(), [](ImTextureID) {
      const ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
      return Texels{fonts.TexPixelsAlpha8, fonts.TexWidth, fonts.TexHeight, true, 0};
    });
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
  }

 private:
  static constexpr int kWidth = 1920;
  static constexpr int kHeight = 1080;
  std::vector<std::uint32_t> memory_ = std::vector<std::uint32_t>(kWidth * kHeight);
  TiledPicture picture_;
};

/// The plots move by a pixel each frame; or all is drawn.
double picture_ms(testing::HeadlessView& view, Drawing& drawing, bool whole) {
  std::vector<double> took;
  for (int i = 0; i < kFrames; ++i) {
    view.plots.time.pan(i % 2 == 0 ? 0.002 : -0.002);
    view.draw(true);
    took.push_back(drawing.frame_ms(whole));
  }
  std::nth_element(took.begin(), took.begin() + kFrames / 2, took.end());
  return took[kFrames / 2];
}

void measure() {
  testing::RigWithPanel t(kJoints);
  t.panel.set_access(Access::kArmed);
  t.rig.enter(ModeRequest::kPosition);
  testing::HeadlessView view(t, kSeconds);
  fill(view, t);
  for (std::size_t plot = 0; plot < PlotSet::kMostPlots; ++plot) {
    view.plots.add_plot();
    const auto joint = static_cast<JointIndex>(plot);
    view.plots.add(plot, view.history.signal(joint, JointTrace::kPosition));
    view.plots.add(plot, view.history.signal(joint, JointTrace::kTorque));
  }
  std::printf(
      "| boxes | 1 s in the plots | 60 s | ratio | picture, plots move | all of it |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: |\n");
  Drawing drawing;
  for (const BoxSize size : {BoxSize::kChip, BoxSize::kRow, BoxSize::kFull}) {
    view.state.box_size = size;
    double ms[2]{};
    for (int i = 0; i < 2; ++i) {
      view.plots.time.set_span(i == 0 ? 1.0 : kSeconds);
      view.draw(true);
      ms[i] = frame_ms(view);
    }
    const double moving = picture_ms(view, drawing, false);
    const double whole = picture_ms(view, drawing, true);
    view.plots.time.follow(true);
    std::printf("| %s | %.2f ms | %.2f ms | %.2f | %.2f ms | %.2f ms |\n",
                std::string(to_string(size)).c_str(), ms[0], ms[1], ms[1] / ms[0], moving, whole);
  }
}

}  // namespace
}  // namespace jointrig::gui

int main() { jointrig::gui::measure(); }
