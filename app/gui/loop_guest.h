#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace jointrig::app {

/// An object of the window that the loop uses in each cycle for a while: a log, a follower. The
/// loop never waits; the window waits for the end of a cycle before it removes the object.
template <typename Guest>
class LoopGuest {
 public:
  // The window's thread.

  /// `guest` must exist until send_off().
  void invite(Guest& guest) noexcept { wanted_.store(&guest); }
  /// Waits until the loop has released it: at most some ms.
  void send_off() {
    wanted_.store(nullptr);
    while (at_work_.load() != nullptr) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  // The loop's thread.

  /// The guest until the next call; null: none.
  Guest* take() noexcept {
    Guest* const guest = wanted_.load();
    at_work_.store(guest);
    // Sent off in between: send_off() may have read the state before that write.
    if (wanted_.load() == guest) return guest;
    at_work_.store(nullptr);
    return nullptr;
  }
  /// Call after the loop's end.
  void leave() noexcept { at_work_.store(nullptr); }

 private:
  std::atomic<Guest*> wanted_{nullptr};
  std::atomic<Guest*> at_work_{nullptr};
};

}  // namespace jointrig::app
