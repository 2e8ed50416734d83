#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace jointrig::remote {

/// Messages on their way to one client, for any number of senders and one writer. Bounded: a client
/// that reads nothing costs no more memory than that.
template <typename Message>
class Outbox {
 public:
  static constexpr std::size_t kCapacity = 1024;  ///< a choice: a second of answers

  /// Returns false if it is full or closed.
  bool put(Message message) {
    {
      const std::lock_guard lock(mutex_);
      if (is_closed_ || waiting_.size() >= kCapacity) return false;
      waiting_.push_back(std::move(message));
    }
    changed_.notify_one();
    return true;
  }

  /// Waits for the next one; returns false after close().
  bool take(Message& message) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_closed_ || !waiting_.empty(); });
    if (is_closed_) return false;
    message = std::move(waiting_.front());
    waiting_.pop_front();
    return true;
  }

  void close() {
    {
      const std::lock_guard lock(mutex_);
      is_closed_ = true;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> waiting_;
  bool is_closed_ = false;
};

}  // namespace jointrig::remote
