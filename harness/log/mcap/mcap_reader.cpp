#include "harness/log/mcap/mcap_reader.h"

#include <utility>

#include "harness/log/mcap/mcap_cursor.h"

namespace jointrig::harness {
namespace {

using mcap::ChunkPlace;
using mcap::ChunkRecords;
using mcap::StoredMessage;

bool passes(const ReadFilter& filter, const StoredMessage& message) {
  return message.log_time_ns >= filter.from_ns && message.log_time_ns <= filter.to_ns &&
         filter.channels.contains(message.channel);
}

template <typename Take>
void messages_of(const ChunkRecords& records, const ReadFilter& filter, Take take) {
  mcap::for_each_record(records.bytes, [&](mcap::Opcode opcode, std::span<const std::byte> fields) {
    if (opcode != mcap::Opcode::kMessage) return;
    const StoredMessage message = mcap::parse_message(fields);
    if (passes(filter, message)) take(message);
  });
}

}  // namespace

McapReader::McapReader(const std::string& path) : source_(path) {
  auto index = mcap::read_index(source_);
  contents_ = index ? std::move(*index) : mcap::scan(source_);
  std::uint64_t counted = 0;
  for (const auto& [channel, count] : contents_.message_counts) counted += count;
  if (contents_.loose_messages > 0 || (contents_.chunks.empty() && counted > 0)) {
    throw LogFileError(path +
                       " holds messages outside of chunks, as jointrig never writes them: "
                       "convert it with the mcap tool first");
  }
}

const mcap::StoredChannel* McapReader::find(std::string_view topic) const {
  for (const auto& [id, channel] : contents_.channels) {
    if (channel.topic == topic) return &channel;
  }
  return nullptr;
}

SchemaPtr McapReader::schema_of(const mcap::StoredChannel& channel) const {
  const auto found = contents_.schemas.find(channel.schema_id);
  const std::string schema_encoding =
      found == contents_.schemas.end() ? "" : found->second.encoding;
  const std::string where = "channel '" + channel.topic + "' of " + path();
  if (channel.encoding != "cdr" || schema_encoding != "ros2msg") {
    throw LogFileError(where + " holds '" + channel.encoding + "' messages with a schema in '" +
                       schema_encoding + "'; only 'cdr' with 'ros2msg' is read");
  }
  try {
    return MessageSchema::parse(found->second.name, found->second.text);
  } catch (const std::invalid_argument& error) {
    throw LogFileError(where + ": " + error.what());
  }
}

std::vector<ChunkPlace> McapReader::chunks_in(const ReadFilter& filter) const {
  std::vector<ChunkPlace> chunks;
  for (const ChunkPlace& place : contents_.chunks) {
    if (static_cast<std::int64_t>(place.start_time) > filter.to_ns) continue;
    if (static_cast<std::int64_t>(place.end_time) < filter.from_ns) continue;
    chunks.push_back(place);
  }
  return chunks;
}

ChunkRecords McapReader::records(const ChunkPlace& place) const {
  ChunkRecords records = mcap::read_chunk(source_, place);
  if (!records.problem.empty()) {
    throw LogFileError(records.problem + ": `jointrig recover` makes a log of the others");
  }
  return records;
}

/// The filter with its channels, all of them known to this log.
ReadFilter McapReader::named(ReadFilter filter) const {
  const bool all = filter.channels.empty();
  std::erase_if(filter.channels, [&](ChannelId id) { return !contents_.channels.contains(id); });
  if (all) {
    for (const auto& [id, channel] : contents_.channels) filter.channels.insert(id);
  }
  return filter;
}

void McapReader::for_each(const ReadFilter& wish, const Visit& visit) const {
  const ReadFilter filter = named(wish);
  bool go_on = true;
  for (const ChunkPlace& place : chunks_in(filter)) {
    messages_of(records(place), filter,
                [&](const StoredMessage& message) { go_on = go_on && visit(message); });
    if (!go_on) return;
  }
}

void McapReader::for_each_in_time(const ReadFilter& wish, const Visit& visit) const {
  const ReadFilter filter = named(wish);
  if (filter.channels.empty()) return;
  McapCursor cursor(*this, filter.channels);
  cursor.seek(filter.from_ns);
  while (const StoredMessage* message = cursor.next(filter.to_ns)) {
    if (!visit(*message)) return;
  }
}

std::vector<std::byte> McapReader::attachment(std::string_view name) const {
  for (const mcap::AttachmentPlace& place : contents_.attachments) {
    if (place.name == name) return mcap::read_attachment(source_, place);
  }
  throw LogFileError(path() + " has no attachment '" + std::string(name) + "'");
}

}  // namespace jointrig::harness
