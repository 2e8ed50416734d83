#pragma once
/// Lists the contents of a log from its index or, if that is missing, by a scan of the file.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/log/mcap/mcap_format.h"

namespace jointrig::harness {

/// Error: a log that can't be opened, is damaged, or isn't a log. what() is a sentence with the
/// path.
class LogFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace mcap {

/// A file that is read in pieces. Cut files are normal, so every read reports its length.
class LogSource {
 public:
  /// Throws LogFileError.
  explicit LogSource(std::string path);
  ~LogSource();
  LogSource(const LogSource&) = delete;
  LogSource& operator=(const LogSource&) = delete;

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  /// Reads bytes; fewer than `count` at the end of the file. Throws LogFileError if the system
  /// fails.
  std::vector<std::byte> read(std::uint64_t offset, std::uint64_t count) const;

 private:
  std::string path_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

struct ChunkPlace {
  std::uint64_t offset = 0;  ///< of the record
  std::uint64_t length = 0;  ///< of the record, as far as the file contains it
  std::uint64_t start_time = 0;
  std::uint64_t end_time = 0;
  bool whole = true;
  std::vector<ChannelId> channels = {};  ///< with a message in it; empty: not known
};

struct AttachmentPlace {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string name;
  std::string media_type;
};

struct StoredMetadata {
  std::string name;
  StringMap values;
};

struct Contents {
  std::string profile;
  std::string library;
  std::map<std::uint16_t, StoredSchema> schemas;
  std::map<ChannelId, StoredChannel> channels;
  std::vector<ChunkPlace> chunks;  ///< in the order of the file
  std::vector<AttachmentPlace> attachments;
  std::vector<StoredMetadata> metadata;
  /// Messages by channel, from the statistics; empty without them.
  std::map<ChannelId, std::uint64_t> message_counts;
  bool complete = false;             ///< the file has a complete end
  std::uint64_t understood_to = 0;   ///< readable bytes from the start
  std::uint64_t loose_messages = 0;  ///< messages outside of chunks, which jointrig never writes
};

/// The records of a chunk, decompressed.
struct ChunkRecords {
  std::vector<std::byte> bytes;
  bool intact = false;  ///< complete, with a correct CRC
  std::string compression;
  std::string problem;  ///< a sentence, if the problem is not a cut
};

/// Throws LogFileError if the file isn't MCAP. read_index returns nothing if the file has no sound
/// index.
std::optional<Contents> read_index(const LogSource& source);
Contents scan(const LogSource& source);

ChunkRecords read_chunk(const LogSource& source, const ChunkPlace& place);

/// Returns an empty attachment if it can't be read.
std::vector<std::byte> read_attachment(const LogSource& source, const AttachmentPlace& place);

StoredMessage parse_message(std::span<const std::byte> fields);

/// Calls `visit(opcode, fields)` for each whole record; returns the number of bytes read.
template <typename Visit>
std::size_t for_each_record(std::span<const std::byte> bytes, Visit visit) {
  std::size_t at = 0;
  while (bytes.size() - at >= kRecordHeaderBytes) {
    FieldReader header(bytes.subspan(at));
    const auto opcode = header.number<std::uint8_t>();
    const auto length = header.number<std::uint64_t>();
    if (opcode == 0 || length > header.rest().size()) break;
    visit(static_cast<Opcode>(opcode), header.rest().first(length));
    at += kRecordHeaderBytes + length;
  }
  return at;
}

}  // namespace mcap
}  // namespace jointrig::harness
