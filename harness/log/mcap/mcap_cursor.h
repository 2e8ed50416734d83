#pragma once
/// Reads a log from any time on, as far as is wanted, and finds what was true at a time. It holds
/// one chunk at once, and more only where chunks overlap in time.
///
/// Not for the loop's thread: it allocates, and throws LogFileError.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "harness/log/mcap/mcap_reader.h"

namespace jointrig::harness {

class McapCursor {
 public:
  /// At the start of the log. The reader outlives it.
  /// @param channels  of the log's; empty: all
  explicit McapCursor(const McapReader& reader, std::set<ChannelId> channels = {});

  /// Goes to the first message at or after this time.
  void seek(std::int64_t from_ns);
  /// The next message in order of time, at equal times in order of the file; null where it is after
  /// `to_ns`, or there is none. Valid until the next call.
  const mcap::StoredMessage* next(std::int64_t to_ns);

 private:
  /// Message with the chunk that holds its bytes.
  struct Waiting {
    mcap::StoredMessage message;
    std::shared_ptr<const mcap::ChunkRecords> chunk;
  };
  void load(const mcap::ChunkPlace& place);

  const McapReader* reader_;
  std::set<ChannelId> channels_;
  std::vector<mcap::ChunkPlace> chunks_;  ///< in order of their first message
  std::size_t next_chunk_ = 0;
  std::vector<Waiting> waiting_;  ///< in order of time
  std::size_t at_ = 0;            ///< the next one of them
  std::int64_t from_ns_ = 0;
};

/// A message that owns its data.
struct KeptMessage {
  std::int64_t time_ns = 0;
  std::vector<std::byte> data;
};

/// The latest message of each of these channels at or before `time_ns`; of equal times the last in
/// the file. It reads the chunks that may have one alone, the later ones first.
std::map<ChannelId, KeptMessage> latest_messages(const McapReader& reader,
                                                 const std::set<ChannelId>& channels,
                                                 std::int64_t time_ns);

}  // namespace jointrig::harness
