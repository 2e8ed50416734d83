#include "control/wholebody/message_queue.h"

#include <algorithm>

namespace jointrig {

void MessageQueue::tell(const Entry& entry, MessageChange change,
                        MessageNotices& notices) noexcept {
  if (entry.id == 0 || notices.size() == MessageNotices::capacity()) return;
  notices.push_back({entry.id, entry.kind, change, entry.path.duration()});
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
}

void MessageQueue::replace(MessageId id, CommandKind kind, const BodyPath& path,
                           MessageNotices& notices) noexcept {
  clear(MessageChange::kReplaced, notices);
  is_active_ = true;
  add(id, kind, path);
}

void MessageQueue::add(MessageId id, CommandKind kind, const BodyPath& path) noexcept {
  Entry& entry = waiting_[count_++];
  entry.id = id;
  entry.kind = kind;
  entry.path = path;
  entry.started = false;
  is_moved_ = true;
  last_id_ = id;
}

void MessageQueue::hold(MessageNotices& notices) noexcept {
  BodyPoint rest = now_;
  rest.x += 0.5 * kBrakingTime * now_.v;
  rest.rotation = turned_by(0.5 * kBrakingTime * now_.turning) * now_.rotation;
  BodyPath path;
  path.add(0.0, now_);
  path.add(kBrakingTime, rest);
  path.shape();
  clear(MessageChange::kDropped, notices);
  is_active_ = true;
  add(0, CommandKind::kStopAllTrajectories, path);
}

void MessageQueue::advance(double dt, MessageNotices& notices) noexcept {
  if (count_ == 0) return;
  if (!waiting_.front().started) tell(waiting_.front(), MessageChange::kStarted, notices);
  waiting_.front().started = true;
  time_ += dt;
  now_ = waiting_.front().path.at(time_);
  const double left = waiting_.front().path.duration() - time_;
  if (left > 0.5 * dt) return;
  now_ = waiting_.front().path.back();
  tell(waiting_.front(), MessageChange::kCompleted, notices);
  std::move(waiting_.begin() + 1, waiting_.begin() + static_cast<std::ptrdiff_t>(count_),
            waiting_.begin());
  --count_;
  time_ = 0.0;
}

}  // namespace jointrig
