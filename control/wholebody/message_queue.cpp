#include "control/wholebody/message_queue.h"

#include <algorithm>

namespace jointrig {

void MessageQueue::tell(const Entry& entry, MessageChange change,
                        MessageNotices& notices) noexcept {
  const MessageOrder& order = entry.order;
  if (order.id == 0 || notices.size() == MessageNotices::capacity()) return;
  notices.push_back({order.id, order.kind, change, order.path.duration()});
}

void MessageQueue::clear(MessageChange why, MessageNotices& notices) noexcept {
  for (std::size_t i = 0; i < count_; ++i) tell(waiting_[i], why, notices);
  count_ = 0;
  time_ = 0.0;
  last_id_ = 0;
  is_active_ = false;
  is_moved_ = false;
}

void MessageQueue::begin(const BodyPoint& place, MessageNotices& notices) noexcept {
  clear(MessageChange::kDropped, notices);
  is_active_ = true;
  now_ = place;
  choice_ = {};
}

bool MessageQueue::drives_others(const TaskChoice& next, Execution execution) const noexcept {
  const bool is_behind = execution == Execution::kQueue && count_ > 0;
  const TaskChoice& last = is_behind ? waiting_[count_ - 1].order.choice : choice_;
  if (last.left_out != next.left_out) return true;
  return last.frame != next.frame && last.left_out != decltype(last.left_out){};
}

void MessageQueue::take(const MessageOrder& order, MessageNotices& notices) noexcept {
  if (order.execution == Execution::kStream && streams()) {
    waiting_.front().order = order;
    last_id_ = order.id;
    time_ = 0.0;
    return;
  }
  if (order.execution != Execution::kQueue || !is_active_) {
    const bool was_active = is_active_;
    clear(MessageChange::kReplaced, notices);
    is_active_ = true;
    // Another one may come in this very cycle, and begins there.
    if (!was_active) now_ = order.path.at(0.0);
  }
  add(order);
}

void MessageQueue::add(const MessageOrder& order) noexcept {
  waiting_[count_++] = {order, false};
  is_moved_ = true;
  if (order.id != 0) last_id_ = order.id;
}

/// From where and as fast as it is wanted now.
void MessageQueue::brake() noexcept {
  BodyPoint rest = now_;
  rest.x += 0.5 * kBrakingTime * now_.v;
  rest.rotation = turned_by(0.5 * kBrakingTime * now_.turning) * now_.rotation;
  MessageOrder order;
  order.kind = CommandKind::kStopAllTrajectories;
  order.path.add(0.0, now_);
  order.path.add(kBrakingTime, rest);
  order.path.shape();
  order.choice = choice_;
  add(order);
}

void MessageQueue::hold(MessageNotices& notices) noexcept {
  clear(MessageChange::kDropped, notices);
  is_active_ = true;
  brake();
}

void MessageQueue::advance(double dt, MessageNotices& notices) noexcept {
  if (count_ == 0) return;
  Entry& front = waiting_.front();
  if (!front.started) tell(front, MessageChange::kStarted, notices);
  front.started = true;
  choice_ = front.order.choice;
  time_ += dt;
  now_ = front.order.path.at(time_);
  const double left = front.order.path.duration() - time_;
  if (left > 0.5 * dt) return;
  now_ = front.order.path.back();
  const bool moves = front.order.path.ends_in_motion();
  tell(front, MessageChange::kCompleted, notices);
  std::move(waiting_.begin() + 1, waiting_.begin() + static_cast<std::ptrdiff_t>(count_),
            waiting_.begin());
  --count_;
  time_ = 0.0;
  if (moves && count_ == 0) brake();
}

}  // namespace jointrig
