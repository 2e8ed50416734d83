#pragma once
/// Requests to a Sim from a moment on, to be written as a scenario:
///
///     start      forgets what was there; cycles from now on are recorded
///     sent       a command waits in the inbox: kept aside
///     answered   the loop accepted it: recorded; or refused it: dropped
///     began      a fault, a push or a payload acts from here on: recorded
///     ended      it acts no longer: recorded
///     scenario   the text of a file that does the same in the same cycles
///
/// A scenario can't repeat a state that comes back from elsewhere: scenario() tells so then.

#include <cstdint>
#include <map>
#include <string>

#include "app/gui/session_file.h"
#include "control/core/asked_trajectory.h"
#include "control/core/event.h"
#include "gui/panel/session_recorder.h"

namespace jointrig::python {

class Recording {
 public:
  void start(const Snapshot& now);
  void sent(const Command& command);
  void answered(const Event& event);
  /// The command of this number follows a plan for this motion.
  void planned(std::uint64_t number, const AskedTrajectory& asked, const RobotConfig& robot);
  /// @param number  of what acts, as the world counts
  /// @param step  that begins it: "force: {body: hand, ...}"
  void began(int number, const std::string& step, TimeNs now_ns) {
    commands_.began(number, step, now_ns);
  }
  void ended(int number, TimeNs now_ns) { commands_.ended(number, now_ns); }
  /// Something that no step of a scenario repeats.
  /// @param what  words for a message: "a state that was restored"
  void met(const char* what);

  /// Throws std::invalid_argument with a sentence: nothing is recorded, it was too much, or no
  /// steps do all of it.
  /// @param now_ns  robot time; the steps last until then
  [[nodiscard]] std::string scenario(const app::ScenarioWords& words, const RobotConfig& robot,
                                     TimeNs now_ns) const;

 private:
  gui::SessionRecorder commands_;
  std::map<std::uint64_t, std::string> plan_steps_;
  std::string unrepeated_;  ///< empty: a scenario can do all of it
};

}  // namespace jointrig::python
