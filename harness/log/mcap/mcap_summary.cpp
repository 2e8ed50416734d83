#include "harness/log/mcap/mcap_summary.h"

#include <libdeflate.h>

#include <algorithm>
#include <numeric>

namespace jointrig::harness::mcap {
namespace {

/// Summary offset records for the groups of one opcode each.
class Groups {
 public:
  Groups(std::vector<std::byte>& out, std::uint64_t file_offset) : out_(out), base_(file_offset) {}

  template <typename Append>
  void group(Opcode opcode, Append append) {
    const std::size_t start = out_.size();
    append();
    if (out_.size() == start) return;
    RecordBuilder record(offsets_);
    record.begin(Opcode::kSummaryOffset);
    record.number(static_cast<std::uint8_t>(opcode));
    record.number(base_ + start);
    record.number(std::uint64_t{out_.size() - start});
    record.end();
  }

  const std::vector<std::byte>& offsets() const { return offsets_; }

 private:
  std::vector<std::byte>& out_;
  std::uint64_t base_;
  std::vector<std::byte> offsets_;
};

void append_bytes(std::vector<std::byte>& out, const std::vector<std::byte>& bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

// Measured side by side on a buffer of 1 MiB (AMD EPYC family 26, other work running): libdeflate
// 1.14 does 7.5 GB/s where zlib 1.2.13 does 3.2 and a table of our own by sixteen bytes half of
// that.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}

void Summary::add(const ChunkEntry& chunk) {
  RecordBuilder record(chunk_indexes_);
  record.begin(Opcode::kChunkIndex);
  record.number(chunk.start_time);
  record.number(chunk.end_time);
  record.number(chunk.offset);
  record.number(chunk.length);
  record.number(static_cast<std::uint32_t>(chunk.index_offsets.size() * 10));
  for (const auto& [channel, offset] : chunk.index_offsets) {
    record.number(channel);
    record.number(offset);
  }
  record.number(chunk.index_length);
  record.text(chunk.compression);
  record.number(chunk.compressed_size);
  record.number(chunk.uncompressed_size);
  record.end();
  ++chunk_count_;

  if (chunk.index_offsets.empty()) return;  // a chunk of schemas and channels alone has no time
  first_time_ = has_messages_ ? std::min(first_time_, chunk.start_time) : chunk.start_time;
  last_time_ = has_messages_ ? std::max(last_time_, chunk.end_time) : chunk.end_time;
  has_messages_ = true;
}

void Summary::add(const AttachmentEntry& attachment) {
  RecordBuilder record(attachment_indexes_);
  record.begin(Opcode::kAttachmentIndex);
  record.number(attachment.offset);
  record.number(attachment.length);
  record.number(attachment.log_time);
  record.number(std::uint64_t{0});  // creation time: unknown
  record.number(attachment.data_size);
  record.text(attachment.name);
  record.text(attachment.media_type);
  record.end();
  ++attachment_count_;
}

void Summary::add_metadata(std::uint64_t offset, std::uint64_t length, std::string_view name) {
  RecordBuilder record(metadata_indexes_);
  record.begin(Opcode::kMetadataIndex);
  record.number(offset);
  record.number(length);
  record.text(name);
  record.end();
  ++metadata_count_;
}

std::uint64_t Summary::message_count() const {
  return std::accumulate(message_counts.begin(), message_counts.end(), std::uint64_t{0});
}

void Summary::append_statistics(std::vector<std::byte>& out) const {
  RecordBuilder record(out);
  record.begin(Opcode::kStatistics);
  record.number(message_count());
  record.number(static_cast<std::uint16_t>(schemas.size()));
  record.number(static_cast<std::uint32_t>(channels.size()));
  record.number(attachment_count_);
  record.number(metadata_count_);
  record.number(chunk_count_);
  record.number(first_time_);
  record.number(last_time_);
  record.number(static_cast<std::uint32_t>(channels.size() * 10));
  for (std::size_t i = 0; i < channels.size(); ++i) {
    record.number(channels[i].id);
    record.number(message_counts[i]);
  }
  record.end();
}

std::vector<std::byte> Summary::ending(std::uint64_t file_size) const {
  std::vector<std::byte> out;
  RecordBuilder record(out);
  record.begin(Opcode::kDataEnd);
  record.number(std::uint32_t{0});  // no CRC of the whole file: each chunk has its own
  record.end();
  const std::size_t summary = out.size();

  Groups groups(out, file_size);
  groups.group(Opcode::kSchema, [&] {
    for (const auto& schema : schemas) append(out, schema);
  });
  groups.group(Opcode::kChannel, [&] {
    for (const auto& it : channels) append(out, it);
  });
  groups.group(Opcode::kStatistics, [&] { append_statistics(out); });
  groups.group(Opcode::kChunkIndex, [&] { append_bytes(out, chunk_indexes_); });
  groups.group(Opcode::kAttachmentIndex, [&] { append_bytes(out, attachment_indexes_); });
  groups.group(Opcode::kMetadataIndex, [&] { append_bytes(out, metadata_indexes_); });
  const std::size_t offsets = out.size();
  append_bytes(out, groups.offsets());

  record.begin(Opcode::kFooter);
  record.number(file_size + summary);
  record.number(file_size + offsets);
  // The CRC reaches from the summary through the two offsets just written, opcode and length
  // included; end() sets the length, so it is written first.
  record.number(std::uint32_t{0});
  record.end();
  const std::size_t crc_at = out.size() - sizeof(std::uint32_t);
  const std::uint32_t crc = crc32(std::span(out).subspan(summary, crc_at - summary));
  std::memcpy(out.data() + crc_at, &crc, sizeof crc);

  record.bytes(std::as_bytes(std::span(kMagic)));
  return out;
}

}  // namespace jointrig::harness::mcap
