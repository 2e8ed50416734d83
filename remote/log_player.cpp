#include "remote/log_player.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace jointrig::remote {
namespace {

using harness::ChannelId;

constexpr std::chrono::milliseconds kTurn{10};
/// A turn that takes longer holds the time of the log up, else messages would come in bursts.
constexpr std::chrono::milliseconds kLongTurn{50};

PlaybackClock::Range range_of(const harness::McapReader& reader) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  PlaybackClock::Range range{kMost, 0};
  for (const harness::mcap::ChunkPlace& chunk : reader.contents().chunks) {
    if (chunk.end_time == 0 && chunk.start_time == 0 && chunk.channels.empty()) continue;
    range.start_ns = std::min(range.start_ns, static_cast<std::int64_t>(chunk.start_time));
    range.end_ns = std::max(range.end_ns, static_cast<std::int64_t>(chunk.end_time));
  }
  if (range.start_ns > range.end_ns || range.start_ns < 0) {
    throw std::runtime_error(reader.path() + " has no messages to replay");
  }
  return range;
}

}  // namespace

LogPlayer::LogPlayer(const std::string& path, float speed, bool is_paused, ViewerFeed& feed)
    : reader_(path), feed_(&feed), clock_(range_of(reader_), speed, !is_paused) {
  stepped_ns_ = clock_.range().start_ns;
  for (const auto& [id, channel] : reader_.contents().channels) {
    const auto schema = reader_.contents().schemas.find(channel.schema_id);
    const bool is_sent = channel.encoding == "cdr" && schema != reader_.contents().schemas.end() &&
                         schema->second.encoding == "ros2msg";
    if (!is_sent) {
      left_out_.insert(channel.topic);
      continue;
    }
    const auto sent = static_cast<ChannelId>(sent_as_.size() + 1);
    sent_as_.emplace(id, sent);
    feed.open({sent, channel.topic, schema->second.name, schema->second.text});
  }
  if (sent_as_.empty()) {
    throw std::runtime_error(path +
                             " has no channel of CDR with a definition in ros2msg, which "
                             "jointrig's logs have: nothing of it can be replayed");
  }
}

LogPlayer::~LogPlayer() { stop(); }

void LogPlayer::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  news_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void LogPlayer::start() {
  thread_ = std::thread([this] { run(); });
}

std::string LogPlayer::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

LogPlayer::Answer LogPlayer::control(const PlaybackWish& wish) {
  Answer answer;
  {
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = Clock::now();
    answer.refusal = clock_.obey(wish, now);
    const bool is_met = answer.refusal.empty();
    if (is_met && wish.is_play && !is_begun_) {
      is_begun_ = true;
      clock_.watch(is_watched_, now);
    }
    if (is_met && wish.seek_ns) step_to(static_cast<std::int64_t>(*wish.seek_ns));
    answer.state = clock_.state(now);
    answer.state.did_seek = is_met && wish.seek_ns.has_value();
  }
  news_.notify_one();
  return answer;
}

PlaybackState LogPlayer::state() const {
  const std::lock_guard lock(mutex_);
  return clock_.state(Clock::now());
}

void LogPlayer::set_watched(bool is_watched) {
  {
    const std::lock_guard lock(mutex_);
    if (is_watched == is_watched_) return;
    is_watched_ = is_watched;
    const Clock::time_point now = Clock::now();
    is_begun_ = false;
    clock_.watch(false, now);
    if (is_watched && clock_.state(now).status == PlaybackStatus::kEnded) {
      clock_.restart(now);
      step_to(clock_.range().start_ns);
    }
  }
  news_.notify_one();
}

void LogPlayer::subscribed() {
  {
    const std::lock_guard lock(mutex_);
    has_new_reader_ = true;
    if (!is_begun_) {
      is_begun_ = true;
      clock_.watch(is_watched_, Clock::now());
    }
  }
  news_.notify_one();
}

/// With the mutex held: nothing that was read for the time before is sent from now on.
void LogPlayer::step_to(std::int64_t time_ns) {
  ++age_;
  stepped_ns_ = time_ns;
  feed_->forget();
}

void LogPlayer::run() noexcept {
  try {
    Turn turn;
    while (wait(turn)) {
      if (turn.is_step) catch_up(turn);
      if (turn.has_new_reader) admit_new(turn);
      play(turn);
      feed_->rest();
      finish(turn);
    }
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    failure_ = error.what();
    clock_.end();
  }
}

/// @returns false: it is over
bool LogPlayer::wait(Turn& turn) {
  std::unique_lock lock(mutex_);
  const auto has_news = [this] { return is_ending_ || has_new_reader_ || age_ != played_age_; };
  if (clock_.runs()) {
    news_.wait_for(lock, kTurn, has_news);
  } else {
    news_.wait(lock, [&] { return has_news() || clock_.runs(); });
  }
  turn.begun = Clock::now();
  turn.age = age_;
  turn.is_step = age_ != played_age_;
  turn.from_ns = stepped_ns_;
  turn.to_ns = clock_.time_at(turn.begun);
  turn.has_new_reader = std::exchange(has_new_reader_, false);
  return !is_ending_;
}

std::set<ChannelId> LogPlayer::in_log(const std::vector<ChannelId>& sent) const {
  std::set<ChannelId> found;
  for (const auto& [id, as] : sent_as_) {
    if (std::find(sent.begin(), sent.end(), as) != sent.end()) found.insert(id);
  }
  return found;
}

/// The state at the time that was stepped to, for all that is subscribed to.
void LogPlayer::catch_up(const Turn& turn) {
  const std::vector<ChannelId> wanted = feed_->wanted();
  const auto latest = harness::latest_messages(reader_, in_log(wanted), turn.from_ns);
  cursor_.seek(turn.from_ns + 1);
  const std::lock_guard lock(mutex_);
  if (age_ != turn.age) return;
  played_age_ = turn.age;
  played_ns_ = turn.from_ns;
  for (const auto& [id, message] : latest) {
    feed_->take(sent_as_.at(id), message.time_ns, message.data);
  }
}

/// Likewise at the time that was played to, for those who subscribed since.
void LogPlayer::admit_new(const Turn& turn) {
  const std::vector<ChannelId> waited = feed_->waited();
  auto latest = harness::latest_messages(reader_, in_log(waited), played_ns_);
  const std::lock_guard lock(mutex_);
  if (age_ != turn.age) {
    has_new_reader_ = true;  // they are met after the step
    return;
  }
  for (const auto& [id, sent] : sent_as_) {
    if (std::find(waited.begin(), waited.end(), sent) == waited.end()) continue;
    const harness::KeptMessage& message = latest[id];
    feed_->admit(sent, message.time_ns, message.data);
  }
}

void LogPlayer::play(const Turn& turn) {
  while (const harness::mcap::StoredMessage* message = cursor_.next(turn.to_ns)) {
    const auto sent = sent_as_.find(message->channel);
    if (sent == sent_as_.end() || !feed_->wants(sent->second)) continue;
    const std::lock_guard lock(mutex_);
    if (age_ != turn.age) return;
    feed_->take(sent->second, message->log_time_ns, message->data);
  }
  played_ns_ = std::max(played_ns_, turn.to_ns);
}

void LogPlayer::finish(const Turn& turn) {
  const std::lock_guard lock(mutex_);
  if (age_ != turn.age) return;
  const Clock::time_point now = Clock::now();
  const bool is_late = now - turn.begun > kLongTurn;
  if (!clock_.runs()) return;
  if (is_late) clock_.set(turn.to_ns, now);
  if (turn.to_ns >= clock_.range().end_ns) clock_.end();
}

}  // namespace jointrig::remote
