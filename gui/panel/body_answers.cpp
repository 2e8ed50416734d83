#include "gui/panel/body_answers.h"

#include <algorithm>

namespace jointrig::gui {
namespace {

AnswerState state_after(MessageChange change) noexcept {
  switch (change) {
    case MessageChange::kStarted:
      return AnswerState::kStarted;
    case MessageChange::kCompleted:
      return AnswerState::kCompleted;
    case MessageChange::kReplaced:
      return AnswerState::kReplaced;
    case MessageChange::kDropped:
      break;
  }
  return AnswerState::kDropped;
}

bool is_message(CommandKind kind) noexcept {
  bool is = false;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) { is = IsMessage<C>; });
  return is;
}

}  // namespace

void BodyAnswers::see(const Event& event, const std::string& text) {
  switch (event.kind) {
    case EventKind::kAccepted:
    case EventKind::kRejected: {
      if (!is_message(event.command)) return;
      BodyAnswer& answer = add(event);
      if (event.kind == EventKind::kAccepted) return;
      answer.state = AnswerState::kRefused;
      answer.why = text.empty() ? std::string(to_string(event.reason)) : text;
      return;
    }
    case EventKind::kMessage:
      return change(event);
    case EventKind::kLawFailed:
      failure_ = event;
      return;
    case EventKind::kGaveWay:
      gave_way_ = event;
      return;
    default:
      return;
  }
}

BodyAnswer& BodyAnswers::add(const Event& event) {
  last_id_ = std::max(last_id_, event.message);
  list_.push_back(
      {.id = event.message, .kind = event.command, .why = {}, .time_ns = event.time_ns});
  if (list_.size() > kCapacity) list_.pop_front();
  return list_.back();
}

/// A new one if its acceptance was not heard: the panel came later.
BodyAnswer& BodyAnswers::answer_to(const Event& event) {
  for (auto answer = list_.rbegin(); answer != list_.rend(); ++answer) {
    if (answer->id == event.message && answer->state != AnswerState::kRefused) return *answer;
  }
  return add(event);
}

/// A message ends when the last of its parts does.
void BodyAnswers::change(const Event& event) {
  BodyAnswer& answer = answer_to(event);
  const AnswerState state = state_after(static_cast<MessageChange>(event.detail));
  answer.time_ns = event.time_ns;
  answer.parts_moved = std::max(0, answer.parts_moved + (state == AnswerState::kStarted ? 1 : -1));
  if (state == AnswerState::kStarted || answer.parts_moved == 0) answer.state = state;
}

}  // namespace jointrig::gui
