#include "harness/log/mcap/mcap_writer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

namespace jointrig::harness {
namespace {

using mcap::Opcode;
using mcap::RecordBuilder;

// Bytes between two readings of the clock: 64 KiB are some 400 messages of a joint, which seven
// joints at 1 kHz fill in 60 ms.
constexpr std::size_t kBytesBetweenClockReads = 64 * 1024;

constexpr std::size_t kIndexEntryBytes = 8 + 8;  // time, offset
constexpr std::size_t kIndexHeaderBytes = mcap::kRecordHeaderBytes + 2 + 4;

std::string size_in_words(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  return bytes < 1'000'000 ? fmt::format("{:.1f} kB", size * 1e-3)
                           : fmt::format("{:.1f} MB", size * 1e-6);
}

}  // namespace

McapWriter::McapWriter(std::string path, McapOptions options)
    : options_(std::move(options)), file_(std::move(path)), compressor_(options_.compression) {
  buffer_.resize(options_.chunk_bytes);
  compressed_.resize(
      compressor_.kind() == Compression::kNone ? 0 : compressor_.bound(options_.chunk_bytes));
  start_chunk();

  std::vector<std::byte> opening;
  RecordBuilder record(opening);
  record.bytes(std::as_bytes(std::span(mcap::kMagic)));
  record.begin(Opcode::kHeader);
  record.text("ros2");
  record.text("jointrig " JOINTRIG_VERSION);
  record.end();
  append_record(opening);
}

McapWriter::~McapWriter() { close(); }

ChannelId McapWriter::add_channel(const std::string& topic, const SchemaPtr& schema,
                                  const StringMap& metadata) {
  // The profile "ros2" requires this key; a log was offered with no quality of service.
  StringMap with_profiles = metadata;
  with_profiles.emplace("offered_qos_profiles", "[]");
  return add_channel(topic, {0, schema->name(), "ros2msg", schema->definition()}, "cdr",
                     with_profiles);
}

ChannelId McapWriter::add_channel(const std::string& topic, const mcap::StoredSchema& schema,
                                  const std::string& encoding, const StringMap& metadata) {
  if (topic.empty()) throw std::invalid_argument("a channel of the log needs a topic");
  for (const mcap::StoredChannel& other : summary_.channels) {
    if (other.topic == topic) {
      throw std::invalid_argument("the log already has a channel '" + topic + "'");
    }
  }
  if (summary_.channels.size() >= std::numeric_limits<ChannelId>::max()) {
    throw std::invalid_argument("the log has no room for channel '" + topic + "'");
  }
  mcap::StoredChannel channel;
  channel.id = static_cast<ChannelId>(summary_.channels.size() + 1);
  channel.schema_id = schema.name.empty() ? std::uint16_t{0} : add_schema(schema);
  channel.topic = topic;
  channel.encoding = encoding;
  channel.metadata = metadata;
  std::vector<std::byte> record;
  append(record, channel);
  append_to_chunk(record);
  summary_.channels.push_back(std::move(channel));
  summary_.message_counts.push_back(0);
  counters_.emplace_back();
  return summary_.channels.back().id;
}

std::uint16_t McapWriter::add_schema(const mcap::StoredSchema& schema) {
  for (const mcap::StoredSchema& other : summary_.schemas) {
    if (other.name != schema.name) continue;
    if (other.text == schema.text && other.encoding == schema.encoding) return other.id;
    throw std::invalid_argument("the log already has another message " + schema.name);
  }
  mcap::StoredSchema stored = schema;
  stored.id = static_cast<std::uint16_t>(summary_.schemas.size() + 1);
  std::vector<std::byte> record;
  append(record, stored);
  append_to_chunk(record);
  summary_.schemas.push_back(std::move(stored));
  return summary_.schemas.back().id;
}

void McapWriter::append_to_chunk(const std::vector<std::byte>& records) {
  if (failed_ || closed_) return;
  if (used_ + records.size() > limit_ && !make_room(records.size())) return;
  std::memcpy(buffer_.data() + used_, records.data(), records.size());
  used_ += records.size();
}

bool McapWriter::write(ChannelId channel, std::int64_t time_ns,
                       std::span<const std::byte> cdr) noexcept {
  if (channel == 0 || channel > counters_.size() || cdr.empty()) {
    ++lost_;
    return false;
  }
  std::byte* out = begin_message(channel, time_ns, cdr.size());
  if (out == nullptr) return false;
  std::memcpy(out, cdr.data(), cdr.size());
  return true;
}

bool McapWriter::write(const mcap::StoredMessage& message) noexcept {
  if (!write(message.channel, message.log_time_ns, message.data)) return false;
  std::byte* record = buffer_.data() + used_ - message.data.size() - mcap::kMessageOverhead;
  std::memcpy(record + 11, &message.sequence, 4);
  std::memcpy(record + 23, &message.publish_time_ns, 8);
  return true;
}

std::span<std::byte> McapWriter::scratch(std::size_t size) noexcept {
  try {
    if (scratch_.size() < size) scratch_.resize(size);
  } catch (const std::exception&) {
    return {};  // the message then doesn't fit and counts as lost
  }
  return scratch_;
}

/// Called at the limit: that of the chunk, or that of the next clock reading.
bool McapWriter::make_room(std::size_t size) noexcept {
  if (failed_ || closed_) {
    ++lost_;
    return false;
  }
  const bool old = Clock::now() - opened_ >= options_.chunk_age;
  if (used_ > 0 && (old || used_ + size > options_.chunk_bytes)) close_chunk();
  if (failed_) {
    ++lost_;
    return false;
  }
  if (used_ + size > buffer_.size()) {
    try {
      buffer_.resize(used_ + size);
    } catch (const std::exception&) {
      fail("no memory for a message");
      ++lost_;
      return false;
    }
  }
  limit_ = std::max(used_ + size, std::min(options_.chunk_bytes, used_ + kBytesBetweenClockReads));
  return true;
}

void McapWriter::start_chunk() noexcept {
  used_ = 0;
  limit_ = std::min(options_.chunk_bytes, kBytesBetweenClockReads);
  messages_in_chunk_ = 0;
  first_time_ = 0;
  last_time_ = 0;
  for (Counter& counter : counters_) counter.in_chunk = 0;
  opened_ = Clock::now();
}

void McapWriter::poll() noexcept {
  if (used_ == 0 || failed_ || closed_) return;
  if (Clock::now() - opened_ >= options_.chunk_age) close_chunk();
}

void McapWriter::flush() noexcept {
  if (used_ > 0 && !failed_ && !closed_) close_chunk();
}

void McapWriter::close_chunk() noexcept {
  const std::uint64_t messages = messages_in_chunk_;
  try {
    write_chunk();
  } catch (const std::exception& error) {
    fail(error.what());  // only out of memory can be thrown
  }
  if (failed_) lost_ += messages;
  start_chunk();
  if (failed_) limit_ = 0;
}

void McapWriter::write_chunk() {
  const std::span<const std::byte> records = std::span(buffer_).first(used_);
  std::span<const std::byte> stored = records;
  if (compressor_.kind() != Compression::kNone) {
    if (compressed_.size() < compressor_.bound(used_)) compressed_.resize(compressor_.bound(used_));
    stored = std::span(compressed_).first(compressor_.compress(records, compressed_));
    if (stored.empty()) throw std::runtime_error("compression failed");
  }
  mcap::ChunkEntry entry;
  entry.start_time = first_time_;
  entry.end_time = last_time_;
  entry.offset = file_.size();
  entry.compression = to_string(compressor_.kind());
  entry.compressed_size = stored.size();
  entry.uncompressed_size = used_;

  std::vector<std::byte> header;
  RecordBuilder record(header);
  record.begin(Opcode::kChunk);
  record.number(first_time_);
  record.number(last_time_);
  record.number(std::uint64_t{used_});
  record.number(options_.chunk_crc ? mcap::crc32(records) : std::uint32_t{0});
  record.text(entry.compression);
  record.number(std::uint64_t{stored.size()});
  entry.length = header.size() + stored.size();
  const std::uint64_t length = entry.length - mcap::kRecordHeaderBytes;
  std::memcpy(header.data() + 1, &length, sizeof length);

  build_index(entry.offset + entry.length, entry);
  if (!file_.append({header, stored, index_})) {
    fail(std::strerror(file_.error()));
    return;
  }
  summary_.add(entry);
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    summary_.message_counts[i] += counters_[i].in_chunk;
  }
  grow_chunks();
}

void McapWriter::grow_chunks() {
  const std::size_t twice = 2 * options_.chunk_bytes;
  if (twice > options_.largest_chunk_bytes) return;
  if (file_.size() / options_.chunk_bytes < options_.chunks_before_growth) return;
  buffer_.resize(std::max(buffer_.size(), twice));
  options_.chunk_bytes = twice;
}

/// Message index records for the channels of the open chunk, at `file_offset`.
void McapWriter::build_index(std::uint64_t file_offset, mcap::ChunkEntry& entry) {
  // The records' places first, from the counts...
  std::vector<std::size_t> next(counters_.size());
  std::size_t size = 0;
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    next[i] = size + kIndexHeaderBytes;
    const std::size_t count = counters_[i].in_chunk;
    if (count == 0) continue;
    entry.index_offsets.emplace_back(static_cast<ChannelId>(i + 1), file_offset + size);
    size += kIndexHeaderBytes + count * kIndexEntryBytes;
  }
  entry.index_length = size;
  index_.resize(size);
  for (const auto& [channel, offset] : entry.index_offsets) {
    std::byte* at = index_.data() + (offset - file_offset);
    const auto bytes =
        static_cast<std::uint32_t>(counters_[channel - 1u].in_chunk * kIndexEntryBytes);
    const std::uint64_t length = 2 + 4 + std::uint64_t{bytes};
    at[0] = static_cast<std::byte>(Opcode::kMessageIndex);
    std::memcpy(at + 1, &length, 8);
    std::memcpy(at + 9, &channel, 2);
    std::memcpy(at + 11, &bytes, 4);
  }
  // ... then their entries, in one walk over the chunk.
  for (std::uint64_t offset = 0; offset < used_;) {
    const std::byte* record = buffer_.data() + offset;
    std::uint64_t length = 0;
    std::memcpy(&length, record + 1, 8);
    if (record[0] == static_cast<std::byte>(Opcode::kMessage)) {
      ChannelId channel = 0;
      std::memcpy(&channel, record + 9, 2);
      std::byte* at = index_.data() + next[channel - 1u];
      std::memcpy(at, record + 15, 8);
      std::memcpy(at + 8, &offset, 8);
      next[channel - 1u] += kIndexEntryBytes;
    }
    offset += mcap::kRecordHeaderBytes + length;
  }
}

bool McapWriter::attach(std::string_view name, std::string_view media_type,
                        std::span<const std::byte> data, std::int64_t time_ns) noexcept {
  try {
    std::vector<std::byte> bytes;
    RecordBuilder record(bytes);
    record.begin(Opcode::kAttachment);
    record.number(time_ns);
    record.number(std::uint64_t{0});  // creation time: unknown
    record.text(name);
    record.text(media_type);
    record.number(std::uint64_t{data.size()});
    record.bytes(data);
    record.number(mcap::crc32(std::span(bytes).subspan(mcap::kRecordHeaderBytes)));
    record.end();
    const std::uint64_t offset = file_.size();
    if (!append_record(bytes)) return false;
    summary_.add(mcap::AttachmentEntry{offset, bytes.size(), static_cast<std::uint64_t>(time_ns),
                                       data.size(), name, media_type});
    return true;
  } catch (const std::exception& error) {
    fail(error.what());
    return false;
  }
}

bool McapWriter::add_metadata(std::string_view name, const StringMap& values) noexcept {
  try {
    std::vector<std::byte> bytes;
    RecordBuilder record(bytes);
    record.begin(Opcode::kMetadata);
    record.text(name);
    record.map(values);
    record.end();
    const std::uint64_t offset = file_.size();
    if (!append_record(bytes)) return false;
    summary_.add_metadata(offset, bytes.size(), name);
    return true;
  } catch (const std::exception& error) {
    fail(error.what());
    return false;
  }
}

/// Writes a record outside of chunks, at once.
bool McapWriter::append_record(std::span<const std::byte> record) noexcept {
  if (failed_ || closed_) return false;
  if (!file_.append({record})) {
    fail(std::strerror(file_.error()));
    return false;
  }
  return true;
}

void McapWriter::fail(const char* reason) noexcept {
  if (failed_) return;
  failed_ = true;
  limit_ = 0;
  try {
    failure_ = "writing the log " + file_.path() + " failed after " + size_in_words(file_.size()) +
               ": " + reason + "; what comes from here on is not recorded";
    if (options_.on_failure) options_.on_failure(failure_);
  } catch (const std::exception&) {
    // No caller to report to: ok() is false in any case.
  }
}

McapStatus McapWriter::status() const {
  McapStatus status;
  status.ok = !failed_;
  status.written = summary_.message_count();
  status.lost = lost_;
  if (failed_) {
    status.message =
        fmt::format("{} ({} messages are in it, {} are lost)", failure_, status.written, lost_);
  }
  return status;
}

McapStatus McapWriter::close() noexcept {
  if (!closed_) {
    flush();
    // After a failure too: the removal of the cut chunk often frees room for the index.
    try {
      const std::vector<std::byte> ending = summary_.ending(file_.size());
      if (!file_.append({ending})) fail(std::strerror(file_.error()));
    } catch (const std::exception& error) {
      fail(error.what());
    }
    if (!file_.close()) fail(std::strerror(file_.error()));
    closed_ = true;
    limit_ = 0;
  }
  try {
    return status();
  } catch (const std::exception&) {
    McapStatus bare;
    bare.ok = !failed_;
    return bare;
  }
}

}  // namespace jointrig::harness
