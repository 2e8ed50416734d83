#include "harness/log/mcap/mcap_scan.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "harness/log/mcap/compression.h"
#include "harness/log/mcap/mcap_summary.h"

namespace jointrig::harness::mcap {
namespace {

// Far above the chunks of any writer (ours: 1 MiB): a larger one is damaged.
constexpr std::uint64_t kLargestChunk = std::uint64_t{256} << 20;
// A chunk record's fields before its data, with room for the name of a compression.
constexpr std::uint64_t kChunkFieldBytes = 8 + 8 + 8 + 4 + 4 + 64 + 8;

StoredSchema parse_schema(std::span<const std::byte> fields) {
  FieldReader in(fields);
  StoredSchema schema;
  schema.id = in.number<std::uint16_t>();
  schema.name = in.text();
  schema.encoding = in.text();
  schema.text = in.text();
  return in.ok() ? schema : StoredSchema{};
}

StoredChannel parse_channel(std::span<const std::byte> fields) {
  FieldReader in(fields);
  StoredChannel channel;
  channel.id = in.number<std::uint16_t>();
  channel.schema_id = in.number<std::uint16_t>();
  channel.topic = in.text();
  channel.encoding = in.text();
  channel.metadata = in.map();
  return in.ok() ? channel : StoredChannel{};
}

/// Schemas and channels in any place.
void take_definition(Opcode opcode, std::span<const std::byte> fields, Contents& contents) {
  if (opcode == Opcode::kSchema) {
    StoredSchema schema = parse_schema(fields);
    if (schema.id != 0) contents.schemas.emplace(schema.id, std::move(schema));
  } else if (opcode == Opcode::kChannel) {
    StoredChannel channel = parse_channel(fields);
    if (!channel.topic.empty()) contents.channels.emplace(channel.id, std::move(channel));
  }
}

void take_header(const LogSource& source, Contents& contents, std::uint64_t& at) {
  const auto magic = source.read(0, kMagic.size());
  if (source.size() == 0) throw LogFileError(source.path() + " is empty: no log was written there");
  if (magic.size() < kMagic.size() ||
      std::memcmp(magic.data(), kMagic.data(), kMagic.size()) != 0) {
    throw LogFileError(source.path() + " is not an MCAP log: it doesn't begin as one");
  }
  at = kMagic.size();
  const auto start = source.read(at, kRecordHeaderBytes);
  FieldReader record(start);
  const auto opcode = record.number<std::uint8_t>();
  const auto length = record.number<std::uint64_t>();
  if (!record.ok() || opcode != static_cast<std::uint8_t>(Opcode::kHeader)) return;
  const auto fields = source.read(at + kRecordHeaderBytes, std::min(length, source.size()));
  if (fields.size() < length) return;
  FieldReader in(fields);
  contents.profile = in.text();
  contents.library = in.text();
  at += kRecordHeaderBytes + length;
}

StoredMetadata parse_metadata(std::span<const std::byte> fields) {
  FieldReader in(fields);
  StoredMetadata metadata;
  metadata.name = in.text();
  metadata.values = in.map();
  return metadata;
}

AttachmentPlace parse_attachment(std::span<const std::byte> fields) {
  FieldReader in(fields);
  in.bytes(8 + 8);  // times
  AttachmentPlace place;
  place.name = in.text();
  place.media_type = in.text();
  return place;
}

void take_statistics(std::span<const std::byte> fields, Contents& contents) {
  FieldReader in(fields);
  in.bytes(8 + 2 + 4 + 4 + 4 + 4 + 8 + 8);
  FieldReader counts(in.bytes(in.number<std::uint32_t>()));
  while (counts.ok() && !counts.rest().empty()) {
    const auto channel = counts.number<ChannelId>();
    const auto count = counts.number<std::uint64_t>();
    if (counts.ok()) contents.message_counts[channel] = count;
  }
}

void take_index_record(const LogSource& source, Opcode opcode, std::span<const std::byte> fields,
                       Contents& contents) {
  FieldReader in(fields);
  if (opcode == Opcode::kChunkIndex) {
    ChunkPlace place;
    place.start_time = in.number<std::uint64_t>();
    place.end_time = in.number<std::uint64_t>();
    place.offset = in.number<std::uint64_t>();
    place.length = in.number<std::uint64_t>();
    FieldReader indexes(in.bytes(in.number<std::uint32_t>()));
    while (indexes.ok() && !indexes.rest().empty()) {
      const auto channel = indexes.number<ChannelId>();
      indexes.number<std::uint64_t>();  // where its index lies
      if (indexes.ok()) place.channels.push_back(channel);
    }
    contents.chunks.push_back(std::move(place));
  } else if (opcode == Opcode::kAttachmentIndex) {
    AttachmentPlace place;
    place.offset = in.number<std::uint64_t>();
    place.length = in.number<std::uint64_t>();
    in.bytes(8 + 8 + 8);  // times, size
    place.name = in.text();
    place.media_type = in.text();
    contents.attachments.push_back(std::move(place));
  } else if (opcode == Opcode::kMetadataIndex) {
    const auto offset = in.number<std::uint64_t>();
    const auto record = source.read(offset, in.number<std::uint64_t>());
    if (record.size() < kRecordHeaderBytes) return;
    contents.metadata.push_back(parse_metadata(std::span(record).subspan(kRecordHeaderBytes)));
  } else if (opcode == Opcode::kStatistics) {
    take_statistics(fields, contents);
  } else {
    take_definition(opcode, fields, contents);
  }
}

/// A chunk with the schemas and channels inside of it; the fields may be cut.
void take_chunk(const LogSource& source, const ChunkPlace& place, Contents& contents) {
  const auto start = source.read(place.offset + kRecordHeaderBytes, kChunkFieldBytes);
  FieldReader in(start);
  ChunkPlace found = place;
  found.start_time = in.number<std::uint64_t>();
  found.end_time = in.number<std::uint64_t>();
  if (!in.ok()) return;
  const ChunkRecords records = read_chunk(source, found);
  if (!found.whole || records.intact) {
    std::set<ChannelId> channels;
    for_each_record(records.bytes, [&](Opcode opcode, std::span<const std::byte> fields) {
      take_definition(opcode, fields, contents);
      if (opcode == Opcode::kMessage) channels.insert(parse_message(fields).channel);
    });
    found.channels.assign(channels.begin(), channels.end());
  }
  contents.chunks.push_back(std::move(found));
}

/// Returns false at the end of the data section, complete or cut.
bool scan_record(const LogSource& source, std::uint64_t& at, Contents& contents) {
  const auto start = source.read(at, kRecordHeaderBytes);
  FieldReader header(start);
  const auto code = header.number<std::uint8_t>();
  const auto length = header.number<std::uint64_t>();
  if (!header.ok() || code == 0) return false;
  const auto opcode = static_cast<Opcode>(code);
  const std::uint64_t left = source.size() - at - kRecordHeaderBytes;
  const bool whole = length <= left;
  if (opcode == Opcode::kChunk) {
    take_chunk(
        source,
        {at, kRecordHeaderBytes + std::min(length, left), /*start_time=*/0, /*end_time=*/0, whole},
        contents);
  }
  if (!whole || opcode == Opcode::kDataEnd) return false;

  const auto fields = [&] { return source.read(at + kRecordHeaderBytes, length); };
  if (opcode == Opcode::kSchema || opcode == Opcode::kChannel) {
    take_definition(opcode, fields(), contents);
  } else if (opcode == Opcode::kMetadata) {
    contents.metadata.push_back(parse_metadata(fields()));
  } else if (opcode == Opcode::kAttachment) {
    AttachmentPlace place = parse_attachment(fields());
    place.offset = at;
    place.length = kRecordHeaderBytes + length;
    contents.attachments.push_back(std::move(place));
  } else if (opcode == Opcode::kMessage) {
    ++contents.loose_messages;
  }
  at += kRecordHeaderBytes + length;
  return true;
}

struct Footer {
  std::uint64_t summary_start = 0;
  std::uint64_t summary_offset_start = 0;
  std::uint32_t crc = 0;
};

std::optional<Footer> read_footer(const LogSource& source) {
  constexpr std::uint64_t kEnd = kRecordHeaderBytes + kFooterFieldBytes + kMagic.size();
  if (source.size() < kMagic.size() + kEnd) return std::nullopt;
  const auto end = source.read(source.size() - kEnd, kEnd);
  FieldReader in(end);
  const auto opcode = in.number<std::uint8_t>();
  const auto length = in.number<std::uint64_t>();
  Footer footer;
  footer.summary_start = in.number<std::uint64_t>();
  footer.summary_offset_start = in.number<std::uint64_t>();
  footer.crc = in.number<std::uint32_t>();
  const auto magic = in.bytes(kMagic.size());
  if (!in.ok() || opcode != static_cast<std::uint8_t>(Opcode::kFooter) ||
      length != kFooterFieldBytes || std::memcmp(magic.data(), kMagic.data(), kMagic.size()) != 0) {
    return std::nullopt;
  }
  return footer;
}

}  // namespace

LogSource::LogSource(std::string path) : path_(std::move(path)) {
  fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info {};
  if (fd_ < 0 || ::fstat(fd_, &info) != 0) {
    const int error = errno;
    if (fd_ >= 0) ::close(fd_);
    throw LogFileError("cannot open the log " + path_ + ": " + std::strerror(error));
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(fd_);
    throw LogFileError(path_ + " is not a log: it is no regular file");
  }
  size_ = static_cast<std::uint64_t>(info.st_size);
}

LogSource::~LogSource() { ::close(fd_); }

std::vector<std::byte> LogSource::read(std::uint64_t offset, std::uint64_t count) const {
  std::vector<std::byte> bytes;
  if (offset >= size_) return bytes;
  bytes.resize(std::min(count, size_ - offset));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got =
        ::pread(fd_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw LogFileError("reading " + path_ + " failed: " + std::strerror(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

std::optional<Contents> read_index(const LogSource& source) {
  Contents contents;
  std::uint64_t at = 0;
  take_header(source, contents, at);
  const auto footer = read_footer(source);
  if (!footer || footer->summary_start < at || footer->summary_start >= source.size()) {
    return std::nullopt;
  }
  const auto summary =
      source.read(footer->summary_start, source.size() - footer->summary_start - kMagic.size());
  const auto checked = std::span(summary).first(summary.size() - sizeof(std::uint32_t));
  if (footer->crc != 0 && footer->crc != crc32(checked)) return std::nullopt;
  for_each_record(summary, [&](Opcode opcode, std::span<const std::byte> fields) {
    take_index_record(source, opcode, fields, contents);
  });
  std::sort(contents.chunks.begin(), contents.chunks.end(),
            [](const ChunkPlace& a, const ChunkPlace& b) { return a.offset < b.offset; });
  contents.complete = true;
  contents.understood_to = source.size();
  return contents;
}

Contents scan(const LogSource& source) {
  Contents contents;
  std::uint64_t at = 0;
  take_header(source, contents, at);
  while (at < source.size() && scan_record(source, at, contents)) {
  }
  contents.complete = read_footer(source).has_value();
  contents.understood_to = contents.complete ? source.size() : at;
  return contents;
}

ChunkRecords read_chunk(const LogSource& source, const ChunkPlace& place) {
  const auto record = source.read(place.offset, place.length);
  FieldReader in(record);
  in.bytes(kRecordHeaderBytes + 8 + 8);
  const auto size = in.number<std::uint64_t>();
  const auto crc = in.number<std::uint32_t>();
  ChunkRecords result;
  result.compression = in.text();
  const auto stored_size = in.number<std::uint64_t>();
  if (!in.ok()) return result;
  const auto kind = compression_from(result.compression);
  const std::string where = fmt::format("the chunk at byte {} of {}", place.offset, source.path());
  if (!kind) {
    result.problem = where + " has unknown compression '" + result.compression + "'";
    return result;
  }
  if (size > kLargestChunk) {
    result.problem =
        fmt::format("{} claims {} MiB; the most is {}", where, size >> 20, kLargestChunk >> 20);
    return result;
  }
  const auto stored = in.rest().first(std::min<std::uint64_t>(stored_size, in.rest().size()));
  result.bytes.resize(size);
  result.bytes.resize(decompress(*kind, stored, result.bytes));
  result.intact = place.whole && stored.size() == stored_size && result.bytes.size() == size &&
                  (crc == 0 || crc == crc32(result.bytes));
  if (place.whole && !result.intact) result.problem = where + " is damaged";
  return result;
}

std::vector<std::byte> read_attachment(const LogSource& source, const AttachmentPlace& place) {
  const auto record = source.read(place.offset, place.length);
  FieldReader in(record);
  in.bytes(kRecordHeaderBytes + 8 + 8);
  in.text();
  in.text();
  const auto data = in.bytes(in.number<std::uint64_t>());
  return {data.begin(), data.end()};
}

StoredMessage parse_message(std::span<const std::byte> fields) {
  FieldReader in(fields);
  StoredMessage message;
  message.channel = in.number<ChannelId>();
  message.sequence = in.number<std::uint32_t>();
  message.log_time_ns = in.number<std::int64_t>();
  message.publish_time_ns = in.number<std::int64_t>();
  message.data = in.rest();
  return in.ok() ? message : StoredMessage{};
}

}  // namespace jointrig::harness::mcap
