#include "app/gui/gui_app.h"

#include <cstdio>
#include <tuple>
#include <utility>

namespace jointrig::app {

namespace {

int first_of(int asked, int kept, int usual) { return asked > 0 ? asked : kept > 0 ? kept : usual; }

/// The next robot is served at the same address.
void keep_ports(const gui::Served& served, ServingOptions& options) {
  options.server.listen = served.address();
  const std::string& viewers = served.viewer_address();
  if (options.viewers) options.viewers = viewers.substr(viewers.find("//") + 2);
}

}  // namespace

GuiApp::Screen GuiApp::screen_for(int width, int height, const std::filesystem::path& layout) {
  const gui::Layout kept = layout.empty() ? gui::Layout{} : read_layout(layout);
  return std::make_shared<GuiScreen>(first_of(width, kept.width, kWidth),
                                     first_of(height, kept.height, kHeight));
}

GuiApp::GuiApp(std::filesystem::path layout, std::optional<ServingOptions> serving,
               std::unique_ptr<GuiSession> session)
    : layout_file_(std::move(layout)),
      kept_(layout_file_.empty() ? gui::Layout{} : read_layout(layout_file_)),
      serving_(std::move(serving)),
      session_(std::move(session)) {}

GuiApp::GuiApp(const GuiRobot& robot, int width, int height, const std::filesystem::path& layout,
               std::optional<ServingOptions> serving)
    : GuiApp(robot, screen_for(width, height, layout), layout, std::move(serving)) {}

GuiApp::GuiApp(const GuiRobot& robot, Screen screen, std::filesystem::path layout,
               std::optional<ServingOptions> serving)
    : GuiApp(std::move(layout), std::move(serving),
             std::make_unique<GuiSession>(std::move(screen), robot)) {
  if (serving_) {
    session_->serve(*serving_);  // first: an address that can't be had starts no board
    keep_ports(*session_->served(), *serving_);
  }
  session_->start();
  apply_layout();
  // A person who names a scenario wants to see it, whatever page was open the last time.
  if (robot.scenario != nullptr) session_->state().side = gui::SideTab::kScenario;
}

GuiApp::GuiApp(std::unique_ptr<RemoteLoop> remote, Screen screen, std::filesystem::path layout)
    : GuiApp(std::move(layout), std::nullopt,
             std::make_unique<GuiSession>(std::move(screen), std::move(remote))) {
  apply_layout();
}

void GuiApp::apply_layout() {
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
      open(*next);
    } catch (const std::exception& error) {
      session_->panel().tell(error.what());
    }
  }
  return true;
}

/// Until it runs, the robot before it goes on as it was. Clients of that one lose their connection:
/// what they know, joints and limits, is another robot's.
void GuiApp::open(const GuiRobot& robot) {
  auto opened = std::make_unique<GuiSession>(session_->screen(), robot);
  opened->take_over(*session_);
  opened->start();
  session_->stop_serving();
  session_ = std::move(opened);
  if (serving_) serve_again();
}

void GuiApp::serve_again() {
  try {
    session_->serve(*serving_);
  } catch (const std::exception& error) {
    const std::string why = std::string("no longer served: ") + error.what();
    std::fprintf(stderr, "jointrig gui: %s\n", why.c_str());
    session_->panel().tell(why);
  }
}

}  // namespace jointrig::app
