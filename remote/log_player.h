#pragma once
/// Plays a log to viewers: a thread reads it, piece by piece, and fills their queues.
///
///     McapCursor → LogPlayer (a thread) → ViewerFeed → each viewer's queue → its connection
///
/// One time for all viewers. After each step to another time, and for each new subscription, comes
/// first the latest message of the channel at that time. Messages of before the step that still
/// wait are thrown away.

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "harness/log/mcap/mcap_cursor.h"
#include "remote/playback.h"
#include "remote/viewer_feed.h"

namespace jointrig::remote {

class LogPlayer {
 public:
  /// Opens the channels of the log. The feed outlives the player. Throws std::runtime_error with a
  /// sentence: no log, or one without a message that viewers are sent.
  LogPlayer(const std::string& path, float speed, bool is_paused, ViewerFeed& feed);
  ~LogPlayer();
  LogPlayer(const LogPlayer&) = delete;
  LogPlayer& operator=(const LogPlayer&) = delete;

  [[nodiscard]] PlaybackClock::Range range() const { return clock_.range(); }
  /// Topics that are not sent: their messages aren't CDR with a definition in ros2msg.
  [[nodiscard]] const std::set<std::string>& left_out() const { return left_out_; }
  /// The player's thread begins.
  void start();
  /// And ends.
  void stop();
  /// Why the log could not be read any further; empty: it could. Any thread.
  [[nodiscard]] std::string failure() const;

  // The thread of the connections.

  struct Answer {
    std::string refusal;  ///< empty: the wish is met
    PlaybackState state;
  };
  Answer control(const PlaybackWish& wish);
  [[nodiscard]] PlaybackState state() const;
  /// Time stands while nobody watches, and until somebody has subscribed to a topic or wants to
  /// play. A log that has ended begins again when somebody comes.
  void set_watched(bool is_watched);
  /// There is a new subscription.
  void subscribed();

 private:
  using Clock = std::chrono::steady_clock;
  /// Time to play to in one turn of the thread.
  struct Turn {
    Clock::time_point begun;
    std::uint64_t age = 0;  ///< of age_: a later step makes the turn void
    std::int64_t from_ns = 0;
    std::int64_t to_ns = 0;
    bool is_step = false;
    bool has_new_reader = false;
  };

  void run() noexcept;
  bool wait(Turn& turn);
  void play(const Turn& turn);
  void catch_up(const Turn& turn);
  void admit_new(const Turn& turn);
  void finish(const Turn& turn);
  void step_to(std::int64_t time_ns);
  [[nodiscard]] std::set<harness::ChannelId> in_log(
      const std::vector<harness::ChannelId>& sent) const;

  harness::McapReader reader_;
  ViewerFeed* feed_;
  std::map<harness::ChannelId, harness::ChannelId> sent_as_;  ///< by number in the log
  std::set<std::string> left_out_;
  harness::McapCursor cursor_{reader_};
  std::int64_t played_ns_ = 0;  ///< up to here; this thread's, as is the cursor
  std::uint64_t played_age_ = 0;

  mutable std::mutex mutex_;  ///< of all below
  std::condition_variable news_;
  PlaybackClock clock_;
  std::uint64_t age_ = 1;  ///< steps to another time so far, the first to the start
  std::int64_t stepped_ns_ = 0;
  bool is_watched_ = false;
  bool is_begun_ = false;
  bool has_new_reader_ = false;
  bool is_ending_ = false;
  std::string failure_;
  std::thread thread_;
};

}  // namespace jointrig::remote
