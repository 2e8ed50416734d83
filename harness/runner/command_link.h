#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "control/core/event.h"
#include "control/exchange/command_inbox.h"

namespace jointrig::harness {

/// Name of the runner in answers and logs.
inline constexpr std::string_view kSender = "scenario";

/// Sends commands to the loop and receives their answers.
class CommandLink {
 public:
  /// Receiver of an answer: a step polls it; a stream doesn't, and take_stray() returns its
  /// rejections.
  enum class Answered : std::uint8_t { kAskedFor, kStray };
  enum class State : std::uint8_t { kWaiting, kAccepted, kRejected };

  explicit CommandLink(CommandInbox& inbox) : inbox_(&inbox), sender_(inbox.connect(kSender)) {}

  /// Returns the number of the command, or 0 if the inbox is full: try again in a cycle.
  /// @param owner  returned with a stray rejection
  std::uint64_t send(Command& command, Answered answered, std::uint32_t owner = 0) noexcept {
    command.sender = sender_;
    command.number = number_ + 1;
    if (!inbox_->push(command)) return 0;
    ++number_;
    entry(number_) = {number_, owner, answered, State::kWaiting, {}};
    return number_;
  }

  /// Reads the events of this cycle.
  void hear(std::span<const Event> events) noexcept {
    for (const Event& event : events) {
      const bool accepted = event.kind == EventKind::kAccepted;
      if (event.sender != sender_ || (!accepted && event.kind != EventKind::kRejected)) continue;
      Entry& known = entry(event.number);
      if (known.number != event.number) continue;
      known.state = accepted ? State::kAccepted : State::kRejected;
      known.event = event;
      if (!accepted && known.answered == Answered::kStray && !stray_) {
        stray_ = Stray{known.owner, event};
      }
    }
  }

  /// State of a command that a step sent, among the last kRemembered.
  [[nodiscard]] State state(std::uint64_t number) const noexcept { return entry(number).state; }
  [[nodiscard]] const Event& answer(std::uint64_t number) const noexcept {
    return entry(number).event;
  }

  struct Stray {
    std::uint32_t owner = 0;
    Event event;
  };
  /// Returns the first rejection that no step polls, once.
  std::optional<Stray> take_stray() noexcept { return std::exchange(stray_, std::nullopt); }

  [[nodiscard]] bool connected() const noexcept { return sender_ != 0; }
  [[nodiscard]] std::uint16_t sender() const noexcept { return sender_; }

 private:
  static constexpr std::size_t kRemembered = 512;  // twice the inbox's capacity
  struct Entry {
    std::uint64_t number = 0;
    std::uint32_t owner = 0;
    Answered answered = Answered::kAskedFor;
    State state = State::kWaiting;
    Event event;
  };
  [[nodiscard]] Entry& entry(std::uint64_t number) noexcept {
    return entries_[number % kRemembered];
  }
  [[nodiscard]] const Entry& entry(std::uint64_t number) const noexcept {
    return entries_[number % kRemembered];
  }

  CommandInbox* inbox_;
  std::uint16_t sender_;
  std::uint64_t number_ = 0;
  std::optional<Stray> stray_;
  std::array<Entry, kRemembered> entries_{};
};

}  // namespace jointrig::harness
