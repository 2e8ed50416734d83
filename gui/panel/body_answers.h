#pragma once

#include <deque>
#include <optional>
#include <string>

#include "control/core/command.h"
#include "control/core/event.h"

namespace jointrig::gui {

/// State of a message to a robot on feet.
#define JOINTRIG_ANSWER_STATES(X) \
  X(kAccepted, "accepted")        \
  X(kRefused, "refused")          \
  X(kStarted, "started")          \
  X(kCompleted, "completed")      \
  X(kReplaced, "replaced")        \
  X(kDropped, "dropped")
JOINTRIG_ENUM(AnswerState, JOINTRIG_ANSWER_STATES)

struct BodyAnswer {
  MessageId id = 0;
  CommandKind kind = CommandKind::kGoHome;
  AnswerState state = AnswerState::kAccepted;
  std::string why;      ///< of a refusal, as a sentence
  TimeNs time_ns = 0;   ///< of the last change
  int parts_moved = 0;  ///< of the body: go_home of the pelvis moves two, its turn and its height
};

/// The answers of a robot on feet, of every sender: what became of each message, and when the
/// balance last failed or something gave way. By the loop's events; it sends nothing.
///
/// An event of a message on its way names the id and no sender: it counts for the newest message
/// with this id.
class BodyAnswers {
 public:
  static constexpr std::size_t kCapacity = 100;  ///< choice: the oldest are dropped

  /// @param text  a refusal as a sentence; of other senders' it may be empty
  void see(const Event& event, const std::string& text);

  [[nodiscard]] const std::deque<BodyAnswer>& list() const noexcept {
    return list_;
  }  ///< newest last
  /// The largest id that any sender has used; 0: none.
  [[nodiscard]] MessageId last_id() const noexcept { return last_id_; }
  /// The last failure of the controller; it stays after the law is on again.
  [[nodiscard]] const std::optional<Event>& failure() const noexcept { return failure_; }
  /// The last constraint that gave way.
  [[nodiscard]] const std::optional<Event>& gave_way() const noexcept { return gave_way_; }

 private:
  BodyAnswer& add(const Event& event);
  BodyAnswer& answer_to(const Event& event);
  void change(const Event& event);

  std::deque<BodyAnswer> list_;
  MessageId last_id_ = 0;
  std::optional<Event> failure_;
  std::optional<Event> gave_way_;
};

}  // namespace jointrig::gui
