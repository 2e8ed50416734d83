#pragma once
/// Summary at the end of an MCAP file, so that a reader need not scan the whole file.

#include <cstdint>
#include <string>
#include <vector>

#include "harness/log/mcap/mcap_format.h"

namespace jointrig::harness::mcap {

/// CRC-32 of ISO 3309 (that of zlib), which MCAP uses everywhere.
/// @param before  CRC of the preceding bytes
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0) noexcept;

struct ChunkEntry {
  std::uint64_t start_time = 0;
  std::uint64_t end_time = 0;
  std::uint64_t offset = 0;  ///< of the chunk record in the file
  std::uint64_t length = 0;  ///< of the chunk record
  std::vector<std::pair<ChannelId, std::uint64_t>> index_offsets;
  std::uint64_t index_length = 0;
  std::string_view compression;
  std::uint64_t compressed_size = 0;
  std::uint64_t uncompressed_size = 0;
};

struct AttachmentEntry {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t log_time = 0;
  std::uint64_t data_size = 0;
  std::string_view name;
  std::string_view media_type;
};

/// Collects the summary while the file is written. Indexes are stored as their final bytes: about
/// 80 bytes a chunk and 10 more for each channel in it.
class Summary {
 public:
  std::vector<StoredSchema> schemas;
  std::vector<StoredChannel> channels;
  std::vector<std::uint64_t> message_counts;  ///< per channel, in the same order

  void add(const ChunkEntry& chunk);
  void add(const AttachmentEntry& attachment);
  void add_metadata(std::uint64_t offset, std::uint64_t length, std::string_view name);

  std::uint64_t message_count() const;

  /// Everything from the data end record to the last byte of the file.
  std::vector<std::byte> ending(std::uint64_t file_size) const;

 private:
  void append_statistics(std::vector<std::byte>& out) const;

  std::vector<std::byte> chunk_indexes_;
  std::vector<std::byte> attachment_indexes_;
  std::vector<std::byte> metadata_indexes_;
  std::uint32_t chunk_count_ = 0;
  std::uint32_t attachment_count_ = 0;
  std::uint32_t metadata_count_ = 0;
  std::uint64_t first_time_ = 0;
  std::uint64_t last_time_ = 0;
  bool has_messages_ = false;
};

}  // namespace jointrig::harness::mcap
