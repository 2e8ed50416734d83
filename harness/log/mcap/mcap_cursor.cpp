#include "harness/log/mcap/mcap_cursor.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace jointrig::harness {
namespace {

using mcap::ChunkPlace;
using mcap::ChunkRecords;
using mcap::StoredMessage;

std::int64_t start_of(const ChunkPlace& place) {
  return static_cast<std::int64_t>(place.start_time);
}
std::int64_t end_of(const ChunkPlace& place) { return static_cast<std::int64_t>(place.end_time); }

template <typename Take>
void each_message(const ChunkRecords& records, Take take) {
  mcap::for_each_record(records.bytes, [&](mcap::Opcode opcode, std::span<const std::byte> fields) {
    if (opcode == mcap::Opcode::kMessage) take(mcap::parse_message(fields));
  });
}

/// A message that was found, with the place of its chunk in the file.
struct Found {
  KeptMessage message;
  std::uint64_t offset = 0;
};

bool may_have(const ChunkPlace& place, ChannelId channel) {
  return place.channels.empty() ||
         std::find(place.channels.begin(), place.channels.end(), channel) != place.channels.end();
}

}  // namespace

McapCursor::McapCursor(const McapReader& reader, std::set<ChannelId> channels)
    : reader_(&reader), channels_(std::move(channels)), chunks_(reader.contents().chunks) {
  if (channels_.empty()) {
    for (const auto& [id, channel] : reader.contents().channels) channels_.insert(id);
  }
  std::stable_sort(chunks_.begin(), chunks_.end(), [](const ChunkPlace& a, const ChunkPlace& b) {
    return start_of(a) < start_of(b);
  });
  seek(std::numeric_limits<std::int64_t>::min());
}

void McapCursor::seek(std::int64_t from_ns) {
  from_ns_ = from_ns;
  next_chunk_ = 0;
  waiting_.clear();
  at_ = 0;
}

const StoredMessage* McapCursor::next(std::int64_t to_ns) {
  while (next_chunk_ < chunks_.size()) {
    const ChunkPlace& place = chunks_[next_chunk_];
    // No message in this chunk or a later one is before its start.
    if (start_of(place) > to_ns) break;
    if (at_ < waiting_.size() && waiting_[at_].message.log_time_ns < start_of(place)) break;
    ++next_chunk_;
    if (end_of(place) >= from_ns_) load(place);
  }
  if (at_ == waiting_.size() || waiting_[at_].message.log_time_ns > to_ns) return nullptr;
  return &waiting_[at_++].message;
}

void McapCursor::load(const ChunkPlace& place) {
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
  const auto chunk = std::make_shared<const ChunkRecords>(reader_->records(place));
  each_message(*chunk, [&](const StoredMessage& message) {
    if (message.log_time_ns < from_ns_) return;
    if (!channels_.contains(message.channel)) return;
    waiting_.push_back({message, chunk});
  });
  std::stable_sort(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) {
    return a.message.log_time_ns < b.message.log_time_ns;
  });
}

std::map<ChannelId, KeptMessage> latest_messages(const McapReader& reader,
                                                 const std::set<ChannelId>& channels,
                                                 std::int64_t time_ns) {
  std::vector<ChunkPlace> chunks = reader.contents().chunks;
  std::erase_if(chunks, [&](const ChunkPlace& place) { return start_of(place) > time_ns; });
  std::sort(chunks.begin(), chunks.end(),
            [](const ChunkPlace& a, const ChunkPlace& b) { return end_of(a) > end_of(b); });
  std::map<ChannelId, Found> latest;
  for (const ChunkPlace& place : chunks) {
    const bool may_help = std::any_of(channels.begin(), channels.end(), [&](ChannelId channel) {
      const auto known = latest.find(channel);
      const bool is_later = known == latest.end() || known->second.message.time_ns <= end_of(place);
      return is_later && may_have(place, channel);
    });
    if (!may_help) continue;
    const ChunkRecords records = reader.records(place);
    each_message(records, [&](const StoredMessage& message) {
      if (message.log_time_ns > time_ns || !channels.contains(message.channel)) return;
      const auto [known, is_first] = latest.try_emplace(message.channel);
      Found& best = known->second;
      const bool is_later =
          is_first || message.log_time_ns > best.message.time_ns ||
          (message.log_time_ns == best.message.time_ns && place.offset >= best.offset);
      if (!is_later) return;
      best.message.time_ns = message.log_time_ns;
      best.message.data.assign(message.data.begin(), message.data.end());
      best.offset = place.offset;
    });
  }
  std::map<ChannelId, KeptMessage> kept;
  for (auto& [channel, found] : latest) kept.emplace(channel, std::move(found.message));
  return kept;
}

}  // namespace jointrig::harness
