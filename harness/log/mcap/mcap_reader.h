#pragma once
/// Reads logs that jointrig wrote, finished or cut off. Not for the files of others: those fail
/// with a sentence where they hold what jointrig doesn't write.
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
  /// Gives true to go on, false to stop.
  using Visit = std::function<bool(const mcap::StoredMessage&)>;

  /// Takes the index where there is one, else walks through the file.
  explicit McapReader(const std::string& path);

  const mcap::Contents& contents() const { return contents_; }
  const std::string& path() const { return source_.path(); }

  /// nullptr: no such topic.
  const mcap::StoredChannel* find(std::string_view topic) const;
  /// Throws if the channel isn't ROS 2 messages in CDR.
  SchemaPtr schema_of(const mcap::StoredChannel& channel) const;

  /// In the order of the file; every message is of one of contents().channels. The data given to
  /// `visit` lives as long as that call.
  void for_each(const ReadFilter& filter, const Visit& visit) const;
  /// In the order of time; what has equal times comes in the order of the file.
  void for_each_in_time(const ReadFilter& filter, const Visit& visit) const;

  /// The contents of a file inside the log; throws if there is none of that name.
  std::vector<std::byte> attachment(std::string_view name) const;

 private:
  ReadFilter named(ReadFilter filter) const;
  std::vector<mcap::ChunkPlace> chunks_in(const ReadFilter& filter) const;
  mcap::ChunkRecords records(const mcap::ChunkPlace& place) const;

  mcap::LogSource source_;
  mcap::Contents contents_;
};

}  // namespace jointrig::harness
