#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace jointrig::app {

/// Something of the window's that the loop works with each cycle for a while: a log, somebody who
/// follows. The loop never waits; the window waits for the end of a cycle before it takes it away.
template <typename Guest>
class LoopGuest {
 public:
  // The window's thread.

  /// `guest` stays until send_off().
  void invite(Guest& guest) noexcept { wanted_.store(&guest); }
  /// Waits until the loop has let go of it: some ms at most.
  void send_off() {
    wanted_.store(nullptr);
    while (at_work_.load() != nullptr) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  // The loop's thread.

  /// Whom to work with until the next call; null: nobody.
  Guest* take() noexcept {
    Guest* const guest = wanted_.load();
    at_work_.store(guest);
    // Sent off in between: send_off() may have looked before that was written.
    if (wanted_.load() == guest) return guest;
    at_work_.store(nullptr);
    return nullptr;
  }
  /// The loop has ended.
  void leave() noexcept { at_work_.store(nullptr); }

 private:
  std::atomic<Guest*> wanted_{nullptr};
  std::atomic<Guest*> at_work_{nullptr};
};

}  // namespace jointrig::app
