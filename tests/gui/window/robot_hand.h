#pragma once
/// A person in front of the panel: finds things by name, moves a real mouse pointer of the X server
/// (xdotool) and waits as people do, by looking.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>

#include "app/gui/gui_app.h"

namespace jointrig::testing {

class RobotHand {
 public:
  explicit RobotHand(app::GuiSession& session) : session_(&session) {
    session.keep_items();
    look(0.3);
  }
  /// In a window whose robots may change.
  explicit RobotHand(app::GuiApp& app) : RobotHand(app.session()) { app_ = &app; }

  /// Lets the window draw for a while.
  void look(double seconds) {
    look_until(seconds, [] { return false; });
  }
  /// Runs frames until a condition is true; returns false if it is not in that time, or the longer
  /// one of a busy machine.
  bool wait_for(double seconds, const std::function<bool()>& is_so) {
    constexpr double kPatience = 60.0;  // [s]
    return look_until(std::max(seconds, kPatience), is_so);
  }
  [[nodiscard]] bool sees(const std::string& item) const {
    return session_->items().count(item) != 0;
  }
  /// Moves the pointer to a part of an item: 0 left, 1 right; 0 top, 1 bottom.
  void point_at(const std::string& item, double part = 0.5, double down = 0.5) {
    ASSERT_TRUE(sees(item)) << item << " is not on the screen";
    const ImVec4 at = session_->items().at(item);
    const double x = at.x + part * (at.z - at.x);
    xdotool("mousemove " + std::to_string(static_cast<int>(x)) + " " +
            std::to_string(static_cast<int>(at.y + down * (at.w - at.y))));
    look(0.12);
  }
  void press(int button = 1) {
    xdotool("mousedown " + std::to_string(button));
    look(0.1);
  }
  void let_go(int button = 1) {
    xdotool("mouseup " + std::to_string(button));
    look(0.15);
  }
  void click(const std::string& item, int button = 1) {
    point_at(item);
    press(button);
    let_go(button);
  }
  void hold(const std::string& item, double seconds) {
    point_at(item);
    press();
    look(seconds);
    let_go();
  }
  void drag(const std::string& item, double from, double to) {
    point_at(item, from);
    press();
    for (int i = 1; i <= 8; ++i) point_at(item, from + (to - from) * i / 8.0);
    let_go();
  }
  void type(const std::string& text) {
    xdotool("type --delay 30 -- '" + text + "'");
    look(0.2);
  }
  void key(const std::string& name) {
    xdotool("key " + name);
    look(0.2);
  }
  void key_down(const std::string& name) {
    xdotool("keydown " + name);
    look(0.1);
  }
  void key_up(const std::string& name) {
    xdotool("keyup " + name);
    look(0.1);
  }
  void picture(const std::string& name) { session_->screenshot(name + ".png"); }

 private:
  /// On a busy machine a frame may take longer than a look: what it brings is drawn with the next.
  static constexpr int kLeastFrames = 3;

  bool frame() {
    if (app_ == nullptr) return session_->frame();
    const bool goes_on = app_->frame();
    session_ = &app_->session();
    return goes_on;
  }
  bool look_until(double seconds, const std::function<bool()>& is_so) {
    const auto begin = std::chrono::steady_clock::now();
    for (int frames = 1;; ++frames) {
      if (!frame()) return false;
      if (is_so()) return true;
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
      if (passed.count() > seconds && frames >= kLeastFrames) return false;
    }
  }
  static void xdotool(const std::string& what) {
    ASSERT_EQ(std::system(("xdotool " + what).c_str()), 0) << what;
  }
  app::GuiSession* session_;
  app::GuiApp* app_ = nullptr;
};

}  // namespace jointrig::testing
