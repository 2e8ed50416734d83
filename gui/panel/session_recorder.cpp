#include "gui/panel/session_recorder.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace jointrig::gui {

void SessionRecorder::start(const Snapshot& snapshot) {
  recording_ = true;
  began_ns_ = snapshot.time_ns;
  began_ = snapshot.joints;
  began_arms_ = snapshot.arms;
  waiting_.clear();
  commands_.clear();
  acts_.clear();
  begun_ = 0;
  for (auto& [number, acting] : acting_) name_and_record(acting, began_ns_);
}

void SessionRecorder::sent(const Command& command) {
  if (recording_ && !is_full()) waiting_.push_back(command);
}

void SessionRecorder::began(int number, const std::string& step, TimeNs now_ns) {
  const auto [found, is_new] = acting_.try_emplace(number, Acting{step, {}});
  if (is_new) name_and_record(found->second, now_ns);
}

void SessionRecorder::ended(int number, TimeNs now_ns) {
  const auto found = acting_.find(number);
  if (found == acting_.end()) return;
  happened({now_ns, "end: " + found->second.name});
  acting_.erase(found);
}

void SessionRecorder::name_and_record(Acting& acting, TimeNs now_ns) {
  if (!recording_) return;
  acting.name = fmt::format("disturbance-{}", ++begun_);
  happened({now_ns, "{name: " + acting.name + ", " + acting.step + "}"});
}

void SessionRecorder::happened(RecordedAct act) {
  if (recording_ && !is_full()) acts_.push_back(std::move(act));
}

void SessionRecorder::answered(std::uint64_t number, bool taken, TimeNs time_ns) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [number](const Command& one) { return one.number == number; });
  if (found == waiting_.end()) return;
  if (taken) commands_.push_back({time_ns, *found});
  waiting_.erase(found);
}

}  // namespace jointrig::gui
