#pragma once
/// The messages of one part of the body: the path that runs, those that wait, and where the part is
/// wanted now. After a path that ends in motion, and nothing behind it, the part brakes and holds.

#include <array>
#include <cstdint>

#include "control/core/body_commands.h"
#include "control/core/command.h"
#include "control/core/fixed_vector.h"
#include "control/wholebody/body_path.h"

namespace jointrig {

/// Change of a message, in this cycle.
struct MessageNotice {
  MessageId id = 0;
  CommandKind kind = CommandKind::kHandTrajectory;
  MessageChange change = MessageChange::kStarted;
  double duration = 0.0;  ///< of its path [s]
};
using MessageNotices = FixedVector<MessageNotice, 64>;

/// How a message wants the task of its part: axes linear x y z, then angular x y z; the one weight
/// of joints or of a height is the first.
struct TaskChoice {
  TaskFrame frame = TaskFrame::kStance;
  std::array<bool, 6> left_out{};
  std::array<double, 6> weights{};  ///< 0: that of robot.yaml
  bool operator==(const TaskChoice&) const = default;
};

/// A message that was accepted.
struct MessageOrder {
  MessageId id = 0;  ///< 0: none of a sender
  CommandKind kind = CommandKind::kHandTrajectory;
  BodyPath path;
  TaskChoice choice;
  Execution execution = Execution::kOverride;
};

/// State that is saved and restored by assignment. For the cycle.
class MessageQueue {
 public:
  static constexpr std::size_t kMost = 4;  ///< the one that runs and three that wait: a choice
  static constexpr double kBrakingTime = BodyPath::kBlendTime;  ///< of hold() [s]

  /// True if the part is moved by messages, or held where one has left it.
  [[nodiscard]] bool active() const noexcept { return is_active_; }
  /// True once a message has come: until then the part is held where it started.
  [[nodiscard]] bool moved() const noexcept { return is_moved_; }
  [[nodiscard]] bool full() const noexcept { return count_ == kMost; }
  /// True if the last message that waits or runs is on its way home.
  [[nodiscard]] bool goes_home() const noexcept {
    return count_ > 0 && waiting_[count_ - 1].order.kind == CommandKind::kGoHome;
  }
  [[nodiscard]] bool is_at_rest() const noexcept { return count_ == 0; }
  /// Id of the last message that was accepted; 0: none.
  [[nodiscard]] MessageId last_id() const noexcept { return last_id_; }
  /// Wanted now.
  [[nodiscard]] const BodyPoint& now() const noexcept { return now_; }
  /// Where a message begins that is queued.
  [[nodiscard]] const BodyPoint& end() const noexcept {
    return count_ == 0 ? now_ : waiting_[count_ - 1].order.path.back();
  }

  /// How the task is wanted now.
  [[nodiscard]] const TaskChoice& choice() const noexcept { return choice_; }
  /// True if a message would drive other axes than the one before it: then what is wanted now, or
  /// at its end, isn't where the part is.
  [[nodiscard]] bool drives_others(const TaskChoice& next, Execution execution) const noexcept;

  /// The part is held at a place from now on; what was there is dropped.
  void begin(const BodyPoint& place, MessageNotices& notices) noexcept;
  /// No more messages, and nothing is wanted.
  void leave(MessageNotices& notices) noexcept { clear(MessageChange::kDropped, notices); }
  /// Likewise, for messages of another space.
  void give_way(MessageNotices& notices) noexcept { clear(MessageChange::kReplaced, notices); }
  /// Takes a message: after all others if it is queued, and then there is room; else in place of
  /// them. A point of a stream that runs takes the place of the one before, of which nobody is
  /// told.
  void take(const MessageOrder& order, MessageNotices& notices) noexcept;
  /// Brakes, and holds.
  void hold(MessageNotices& notices) noexcept;

  void advance(double dt, MessageNotices& notices) noexcept;

 private:
  struct Entry {
    MessageOrder order;
    bool started = false;
  };

  void add(const MessageOrder& order) noexcept;
  void brake() noexcept;
  void clear(MessageChange why, MessageNotices& notices) noexcept;
  static void tell(const Entry& entry, MessageChange change, MessageNotices& notices) noexcept;
  [[nodiscard]] bool streams() const noexcept {
    return count_ == 1 && waiting_.front().order.execution == Execution::kStream;
  }

  bool is_active_ = false;
  bool is_moved_ = false;
  MessageId last_id_ = 0;
  double time_ = 0.0;  ///< since the start of the path that runs [s]
  std::size_t count_ = 0;
  std::array<Entry, kMost> waiting_;  ///< the first runs
  BodyPoint now_;
  TaskChoice choice_;
};

}  // namespace jointrig
