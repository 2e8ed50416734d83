#pragma once
/// Before the panel of a robot on buses opens: looks for its boards, again and again, and shows a
/// page that says what is heard (gui/view/wait_page.h).

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "app/gui/gui_session.h"
#include "gui/panel/board_wait.h"

namespace jointrig::app {

/// Tries to start the boards on a thread of its own until all of them start; then it lets them go
/// again, motors off, for the panel to take.
class BoardSearch {
 public:
  static constexpr double kPause = 1.0;  ///< between two tries [s]: a choice

  /// Throws as config_of.
  explicit BoardSearch(const GuiRobot& robot);
  ~BoardSearch();
  BoardSearch(const BoardSearch&) = delete;
  BoardSearch& operator=(const BoardSearch&) = delete;

  struct State {
    gui::BoardWait wait;
    bool looking = true;
    bool found = false;
  };
  /// Throws what waiting can't mend: bad wiring, a bad model.
  [[nodiscard]] State state();
  void try_now();

 private:
  void run(const std::stop_token& stop);
  bool try_once();
  bool end_with(std::exception_ptr error);
  void note_failure(const std::string& sentences, bool asked);

  GuiRobot robot_;
  RobotConfig config_;
  std::mutex mutex_;  ///< of the four below
  std::condition_variable_any changed_;
  State state_;
  bool hurry_ = false;
  std::exception_ptr fatal_;
  std::atomic<bool> give_up_{false};
  std::jthread thread_;  ///< last: it uses the others
};

/// The page in a window, frame by frame.
class WaitRoom {
 public:
  enum class Result : std::uint8_t { kWaits, kFound, kSimulation, kClosed };

  /// Throws as BoardSearch.
  WaitRoom(std::shared_ptr<GuiScreen> screen, const GuiRobot& robot);

  /// Throws as BoardSearch::state.
  Result frame();
  /// Writes the picture shown last. Throws std::runtime_error.
  void screenshot(const std::filesystem::path& path) const;
  [[nodiscard]] const gui::ItemMap& items() const noexcept { return items_; }
  [[nodiscard]] gui::BoardWait wait() { return search_.state().wait; }

 private:
  std::shared_ptr<GuiScreen> screen_;
  std::string robot_;
  BoardSearch search_;
  gui::ItemMap items_;
};

}  // namespace jointrig::app
