#include "gui/panel/session_recorder.h"

#include <algorithm>

namespace jointrig::gui {

void SessionRecorder::start(const Snapshot& snapshot) {
  recording_ = true;
  began_ns_ = snapshot.time_ns;
  began_ = snapshot.joints;
  began_arms_ = snapshot.arms;
  waiting_.clear();
  commands_.clear();
}

void SessionRecorder::sent(const Command& command) {
  if (recording_ && !is_full()) waiting_.push_back(command);
}

void SessionRecorder::answered(std::uint64_t number, bool taken, TimeNs time_ns) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [number](const Command& one) { return one.number == number; });
  if (found == waiting_.end()) return;
  if (taken) commands_.push_back({time_ns, *found});
  waiting_.erase(found);
}

}  // namespace jointrig::gui
