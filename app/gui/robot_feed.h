#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/exchange/command_inbox.h"
#include "control/exchange/parameter_exchange.h"
#include "gui/panel/robot_watch.h"
#include "gui/plot/trace_ring.h"

namespace jointrig::app {

/// True for the answer to a command that sets parameters, and has set them.
[[nodiscard]] constexpr bool has_set_parameters(const Event& event) noexcept {
  return event.kind == EventKind::kAccepted && (event.command == CommandKind::kSetParameter ||
                                                event.command == CommandKind::kSetImpedance);
}

/// Source of what a window's panel shows, and receiver of its commands: a loop of this program
/// (live_loop.h), or a robot that is served elsewhere (remote_loop.h). The window's thread calls
/// it.
class RobotFeed {
 public:
  RobotFeed() = default;
  RobotFeed(const RobotFeed&) = delete;
  RobotFeed& operator=(const RobotFeed&) = delete;
  virtual ~RobotFeed() = default;

  /// Points to what lives as long as the feed.
  [[nodiscard]] virtual gui::PanelRobot panel_robot() = 0;
  [[nodiscard]] virtual CommandInbox& inbox() = 0;
  /// Plot data, a row each period of plotted().
  [[nodiscard]] virtual gui::TraceRing& ring() = 0;
  [[nodiscard]] virtual const RobotConfig& plotted() = 0;

  /// Copies the newest snapshot; false if there is none yet.
  virtual bool newest(Snapshot& snapshot) noexcept = 0;
  /// The next event; false if there is none. Numbers and sender of answers are those of the inbox.
  virtual bool next(Event& event) = 0;
  /// Sentence on the event that next() gave last.
  [[nodiscard]] virtual std::string sentence(const Event& event) = 0;
  [[nodiscard]] virtual gui::LoopHealth health() = 0;
  /// Parameters in force, once after others than the panel may have set some; none otherwise.
  virtual std::optional<ParameterTable> take_parameters() { return std::nullopt; }
  /// Sentences that a person has to see, since the last call.
  virtual std::vector<std::string> take_news() { return {}; }
  /// Why it ended by itself; none while it goes on.
  [[nodiscard]] virtual std::optional<std::string> why_ended() const = 0;
};

}  // namespace jointrig::app
