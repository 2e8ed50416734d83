#pragma once
/// Reads logs that jointrig wrote, finished or cut off. Files of other programs fail with a
/// sentence if they contain records that jointrig doesn't write.
///
/// Not for the loop's thread: it allocates, and throws LogFileError.

#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "harness/log/mcap/mcap_scan.h"
#include "harness/log/mcap/message_schema.h"

namespace jointrig::harness {

struct ReadFilter {
  std::set<ChannelId> channels = {};  ///< empty: all
  std::int64_t from_ns = std::numeric_limits<std::int64_t>::min();
  std::int64_t to_ns = std::numeric_limits<std::int64_t>::max();  ///< included
};

class McapReader {
 public:
  /// Returns true to continue, false to stop.
  using Visit = std::function<bool(const mcap::StoredMessage&)>;

  /// Uses the index if there is one, else scans the file.
  explicit McapReader(const std::string& path);

  const mcap::Contents& contents() const { return contents_; }
  const std::string& path() const { return source_.path(); }

  /// nullptr if the topic does not exist.
  const mcap::StoredChannel* find(std::string_view topic) const;
  /// Throws if the channel does not carry ROS 2 messages in CDR.
  SchemaPtr schema_of(const mcap::StoredChannel& channel) const;

  /// In the order of the file; every message belongs to one of contents().channels. The data passed
  /// to `visit` is valid during that call.
  void for_each(const ReadFilter& filter, const Visit& visit) const;
  /// In the order of time; messages with equal times come in the order of the file.
  void for_each_in_time(const ReadFilter& filter, const Visit& visit) const;

  /// The records of one of contents().chunks.
  mcap::ChunkRecords records(const mcap::ChunkPlace& place) const;

  /// Returns a file inside the log; throws if there is none of that name.
  std::vector<std::byte> attachment(std::string_view name) const;

 private:
  ReadFilter named(ReadFilter filter) const;
  std::vector<mcap::ChunkPlace> chunks_in(const ReadFilter& filter) const;

  mcap::LogSource source_;
  mcap::Contents contents_;
};

}  // namespace jointrig::harness
