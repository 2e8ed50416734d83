#include "harness/runner/command_run.h"

#include "harness/log/event_text.h"

namespace jointrig::harness {

void CommandRun::begin(StepScene& scene) {
  began_ = scene.now();
  sent_ = 0;
}

StepProgress CommandRun::poll(StepScene& scene) {
  if (sent_ == 0 && !prepare(scene)) {
    return in_time(scene) ? StepProgress::kRunning : fail_unprepared();
  }
  if (!send_all(scene)) {
    if (in_time(scene)) return StepProgress::kRunning;
    return fail("room in the inbox" + in_timeout(), "it stayed full");
  }
  for (std::size_t i = 0; i < wanted_; ++i) {
    const CommandLink::State state = scene.link->state(numbers_[i]);
    if (state == CommandLink::State::kRejected) return fail_rejected(scene, numbers_[i]);
    if (state == CommandLink::State::kWaiting) {
      if (in_time(scene)) return StepProgress::kRunning;
      return fail("an answer to the command", "none: the loop doesn't listen");
    }
  }
  if (!wait_ || arrived(scene)) return StepProgress::kDone;
  return in_time(scene) ? StepProgress::kRunning : fail_late(scene);
}

bool CommandRun::send_all(StepScene& scene) {
  while (sent_ < wanted_) {
    Command next = command(sent_, scene);
    const std::uint64_t number = scene.link->send(next, CommandLink::Answered::kAskedFor);
    if (number == 0) return false;  // the inbox is full: continue in the next cycle
    numbers_[sent_++] = number;
  }
  return true;
}

bool CommandRun::in_time(const StepScene& scene) const { return scene.now() - began_ <= timeout_; }

std::string CommandRun::in_timeout() const {
  return " within " + seconds_text(to_seconds(timeout_));
}

StepProgress CommandRun::fail_rejected(const StepScene& scene, std::uint64_t number) {
  const Event& answer = scene.link->answer(number);
  return fail(std::string(to_string(answer.command)) + " accepted",
              sentence(answer, *scene.config, kSender));
}

}  // namespace jointrig::harness
