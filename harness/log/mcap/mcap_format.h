#pragma once
/// The records of an MCAP file (mcap.dev/spec, version 0) as bytes: shared by writer and reader.
///
///     magic | header | data records ... | data end | summary | summary offsets | footer | magic
///     record = opcode (1) | length of the fields (8) | fields
///
/// Integers are little-endian; strings, maps and arrays carry their length in bytes first (uint32).

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jointrig::harness {

using ChannelId = std::uint16_t;
using StringMap = std::map<std::string, std::string>;

namespace mcap {

enum class Opcode : std::uint8_t {
  kHeader = 0x01,
  kFooter = 0x02,
  kSchema = 0x03,
  kChannel = 0x04,
  kMessage = 0x05,
  kChunk = 0x06,
  kMessageIndex = 0x07,
  kChunkIndex = 0x08,
  kAttachment = 0x09,
  kAttachmentIndex = 0x0A,
  kStatistics = 0x0B,
  kMetadata = 0x0C,
  kMetadataIndex = 0x0D,
  kSummaryOffset = 0x0E,
  kDataEnd = 0x0F,
};

inline constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};
inline constexpr std::size_t kRecordHeaderBytes = 1 + 8;
/// Channel, sequence, log time, publish time.
inline constexpr std::size_t kMessageFieldBytes = 2 + 4 + 8 + 8;
inline constexpr std::size_t kMessageOverhead = kRecordHeaderBytes + kMessageFieldBytes;
/// Summary start, summary offset start, CRC.
inline constexpr std::size_t kFooterFieldBytes = 8 + 8 + 4;

/// Appends records to a buffer. Not for the hot path.
class RecordBuilder {
 public:
  explicit RecordBuilder(std::vector<std::byte>& out) : out_(out) {}

  void begin(Opcode opcode) {
    number(static_cast<std::uint8_t>(opcode));
    number(std::uint64_t{0});
    start_ = out_.size();
  }

  /// Fills in the length of the record that begin() opened.
  void end() {
    const std::uint64_t length = out_.size() - start_;
    std::memcpy(out_.data() + start_ - sizeof length, &length, sizeof length);
  }

  template <typename T>
  void number(T value) {
    bytes(std::as_bytes(std::span(&value, 1)));
  }

  void bytes(std::span<const std::byte> data);

  void text(std::string_view value);
  void map(const StringMap& values);

 private:
  std::vector<std::byte>& out_;
  std::size_t start_ = 0;
};

/// Reads fields from a record. Past the end it gives zeros and empty strings, and ok() is false.
class FieldReader {
 public:
  explicit FieldReader(std::span<const std::byte> in) : in_(in) {}

  template <typename T>
  T number() {
    T value{};
    const auto from = bytes(sizeof(T));
    if (ok_) std::memcpy(&value, from.data(), sizeof(T));
    return value;
  }

  std::span<const std::byte> bytes(std::uint64_t count) {
    ok_ = ok_ && count <= in_.size();
    if (!ok_) return {};
    const auto found = in_.first(count);
    in_ = in_.subspan(count);
    return found;
  }

  std::string text();
  StringMap map();

  bool ok() const { return ok_; }
  std::span<const std::byte> rest() const { return in_; }

 private:
  std::span<const std::byte> in_;
  bool ok_ = true;
};

/// A schema as the file stores it.
struct StoredSchema {
  std::uint16_t id = 0;
  std::string name;
  std::string encoding;
  std::string text;
};

/// A channel as the file stores it.
struct StoredChannel {
  ChannelId id = 0;
  std::uint16_t schema_id = 0;
  std::string topic;
  std::string encoding;
  StringMap metadata;
};

/// A message as the file stores it; it does not own its data.
struct StoredMessage {
  ChannelId channel = 0;
  std::uint32_t sequence = 0;
  std::int64_t log_time_ns = 0;
  std::int64_t publish_time_ns = 0;
  std::span<const std::byte> data;
};

/// Append the records of these.
void append(std::vector<std::byte>& out, const StoredSchema& schema);
void append(std::vector<std::byte>& out, const StoredChannel& channel);

}  // namespace mcap
}  // namespace jointrig::harness
