#include "app/gui/gui_app.h"

#include <cstdio>
#include <tuple>
#include <utility>

namespace jointrig::app {

namespace {

int first_of(int asked, int kept, int usual) { return asked > 0 ? asked : kept > 0 ? kept : usual; }

}  // namespace

GuiApp::GuiApp(const GuiRobot& robot, int width, int height, std::filesystem::path layout)
    : layout_file_(std::move(layout)),
      kept_(layout_file_.empty() ? gui::Layout{} : read_layout(layout_file_)),
      session_(std::make_unique<GuiSession>(robot, first_of(width, kept_.width, kWidth),
                                            first_of(height, kept_.height, kHeight))) {
  if (layout_file_.empty()) return;
  gui::apply(kept_, session_->state(), session_->panel());
  session_->screen()->window.magnify(kept_.magnification);
}

GuiApp::~GuiApp() { keep_layout(); }

void GuiApp::keep_layout() {
  if (layout_file_.empty()) return;
  gui::Layout now = gui::layout_of(session_->state(), session_->panel());
  std::tie(now.width, now.height) = session_->screen()->window.size();
  now.magnification = session_->screen()->window.magnification();
  if (now == kept_) return;
  const std::string why = write_layout(now, layout_file_);
  if (why.empty()) kept_ = now;
  if (!why.empty()) std::fprintf(stderr, "jointrig gui: the layout isn't kept: %s\n", why.c_str());
}

bool GuiApp::frame() {
  if (!session_->frame()) return false;
  if (const std::optional<GuiRobot> next = session_->take_next()) {
    try {
      auto opened = std::make_unique<GuiSession>(session_->screen(), *next);
      opened->take_over(*session_);
      opened->start();
      session_ = std::move(opened);
    } catch (const std::exception& error) {
      session_->panel().tell(error.what());
    }
  }
  return true;
}

}  // namespace jointrig::app
