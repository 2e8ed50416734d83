#pragma once
/// Writes an MCAP log with ROS 2 messages: PlotJuggler, Foxglove, Rerun and ROS 2 tools open it.
///
///     McapWriter log("run.mcap");
///     const auto elbow = log.add_channel("/j/elbow", joint_schema);   // StructSchema<Sample>
///     const auto events = log.add_channel<LogView>("/events");
///     log.write(elbow, time_ns, sample);                              // each cycle
///     log.poll();                                                     // each round of the thread
///     log.close();
///
/// Messages gather in a chunk, which is compressed and written with write(2) when it is full or a
/// second of wall time old. Any end of the process loses only the open chunk (recover_mcap() then
/// makes a whole file).
///
/// One thread at a time. Opening and adding channels may throw; no later call throws. Times are
/// nanoseconds since the start of the run, not negative.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/log/mcap/compression.h"
#include "harness/log/mcap/log_file.h"
#include "harness/log/mcap/mcap_summary.h"
#include "harness/log/mcap/standard_messages.h"
#include "harness/log/mcap/struct_schema.h"

namespace jointrig::harness {

struct McapOptions {
  Compression compression = Compression::kLz4;
  /// Records gathered before a chunk is closed [bytes]; a choice: viewers read chunk by chunk.
  std::size_t chunk_bytes = std::size_t{1} << 20;
  /// When a file is this many times as large as a chunk, chunks double in size from there on, up to
  /// the largest: the index of all chunks stays in memory until the end, half a kilobyte a chunk
  /// for 41 joints, and an hour of them is 32 GB.
  std::size_t chunks_before_growth = 1000;
  std::size_t largest_chunk_bytes = std::size_t{4} << 20;
  /// Wall time after which the chunk is closed.
  std::chrono::nanoseconds chunk_age = std::chrono::seconds(1);
  /// CRC in each chunk. Without it a damaged chunk is not detected.
  bool chunk_crc = true;
  /// Called once, from the writing thread, with the sentence of the first failure.
  std::function<void(const std::string&)> on_failure = {};
};

/// Status of the file. After the first failure nothing more is written and every message counts as
/// lost.
struct McapStatus {
  bool ok = true;
  std::string message;        ///< empty while ok
  std::uint64_t written = 0;  ///< messages in the file
  std::uint64_t lost = 0;     ///< messages that did not reach the file
};

/// A channel of structs; the writing code keeps it.
template <typename T>
struct StructChannel {
  ChannelId id = 0;
  std::shared_ptr<const StructSchema<T>> schema;
};

/// A channel of one of the standard messages.
template <typename View>
struct ViewChannel {
  ChannelId id = 0;
};

template <typename View>
SchemaPtr schema_of();
template <>
inline SchemaPtr schema_of<LogView>() {
  return log_schema();
}
template <>
inline SchemaPtr schema_of<JointStateView>() {
  return joint_state_schema();
}

class McapWriter {
 public:
  /// Throws std::runtime_error if the file can't be created.
  explicit McapWriter(std::string path, McapOptions options = {});
  ~McapWriter();
  McapWriter(const McapWriter&) = delete;
  McapWriter& operator=(const McapWriter&) = delete;

  /// Throws std::invalid_argument for a repeated or an empty topic, or a second definition under
  /// the same name.
  template <typename T>
  StructChannel<T> add_channel(const std::string& topic, const StructSchema<T>& schema,
                               const StringMap& metadata = {}) {
    const ChannelId id = add_channel(topic, schema.schema(), metadata);
    return {id, std::make_shared<const StructSchema<T>>(schema)};
  }
  template <typename View>
  ViewChannel<View> add_channel(const std::string& topic, const StringMap& metadata = {}) {
    return {add_channel(topic, schema_of<View>(), metadata)};
  }
  ChannelId add_channel(const std::string& topic, const SchemaPtr& schema,
                        const StringMap& metadata = {});
  /// Adds a channel for data that is already encoded.
  ChannelId add_channel(const std::string& topic, const mcap::StoredSchema& schema,
                        const std::string& encoding, const StringMap& metadata = {});

  /// These functions return false if the message was lost. Log and publish time are both `time_ns`.
  template <typename T>
  bool write(const StructChannel<T>& channel, std::int64_t time_ns, const T& sample) noexcept {
    std::byte* out = begin_message(channel.id, time_ns, channel.schema->encoded_size());
    if (out == nullptr) return false;
    channel.schema->encode(sample, out);
    return true;
  }
  template <typename View>
  bool write(const ViewChannel<View>& channel, std::int64_t time_ns, const View& message) noexcept {
    const auto bytes = encode(message, scratch(size_bound(message)));
    return write(channel.id, time_ns, bytes);
  }
  bool write(ChannelId channel, std::int64_t time_ns, std::span<const std::byte> cdr) noexcept;
  /// Writes a message with its own sequence number and publish time.
  bool write(const mcap::StoredMessage& message) noexcept;

  /// Stores a file inside the log: configuration, model, scenario.
  bool attach(std::string_view name, std::string_view media_type, std::span<const std::byte> data,
              std::int64_t time_ns = 0) noexcept;
  bool attach(std::string_view name, std::string_view media_type, std::string_view text,
              std::int64_t time_ns = 0) noexcept {
    return attach(name, media_type, std::as_bytes(std::span(text)), time_ns);
  }
  bool add_metadata(std::string_view name, const StringMap& values) noexcept;

  /// Closes the chunk if it is old enough. The writing thread calls it in each round, at least
  /// every 0.1 s or so.
  void poll() noexcept;
  /// Closes the chunk now: on return all messages so far are in the file.
  void flush() noexcept;
  /// Writes the rest and the index. Later messages are lost.
  McapStatus close() noexcept;

  McapStatus status() const;
  bool ok() const noexcept { return !failed_; }
  std::uint64_t lost() const noexcept { return lost_; }
  const std::string& path() const noexcept { return file_.path(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Counter {
    std::uint32_t sequence = 0;
    std::uint32_t in_chunk = 0;
  };

  std::byte* begin_message(ChannelId channel, std::int64_t time_ns, std::size_t size) noexcept;
  bool make_room(std::size_t size) noexcept;
  std::span<std::byte> scratch(std::size_t size) noexcept;
  void close_chunk() noexcept;
  void write_chunk();
  void build_index(std::uint64_t file_offset, mcap::ChunkEntry& entry);
  void start_chunk() noexcept;
  void grow_chunks();
  std::uint16_t add_schema(const mcap::StoredSchema& schema);
  void append_to_chunk(const std::vector<std::byte>& records);
  bool append_record(std::span<const std::byte> record) noexcept;
  void fail(const char* reason) noexcept;

  McapOptions options_;
  LogFile file_;
  Compressor compressor_;
  mcap::Summary summary_;

  std::vector<std::byte> buffer_;  ///< the open chunk's records
  std::size_t used_ = 0;
  std::size_t limit_ = 0;  ///< bound of used_ up to which no check is needed
  std::uint64_t first_time_ = 0;
  std::uint64_t last_time_ = 0;
  std::uint64_t messages_in_chunk_ = 0;
  Clock::time_point opened_;
  std::vector<Counter> counters_;  ///< by channel id - 1

  std::vector<std::byte> compressed_;
  std::vector<std::byte> index_;
  std::vector<std::byte> scratch_;

  bool failed_ = false;
  bool closed_ = false;
  std::uint64_t lost_ = 0;
  std::string failure_;
};

inline std::byte* McapWriter::begin_message(ChannelId channel, std::int64_t time_ns,
                                            std::size_t size) noexcept {
  const std::size_t need = mcap::kMessageOverhead + size;
  if (used_ + need > limit_ && !make_room(need)) [[unlikely]]
    return nullptr;
  Counter& counter = counters_[channel - 1u];
  const auto time = static_cast<std::uint64_t>(time_ns);
  const std::uint64_t length = mcap::kMessageFieldBytes + size;

  std::byte* at = buffer_.data() + used_;
  at[0] = static_cast<std::byte>(mcap::Opcode::kMessage);
  std::memcpy(at + 1, &length, 8);
  std::memcpy(at + 9, &channel, 2);
  std::memcpy(at + 11, &counter.sequence, 4);
  std::memcpy(at + 15, &time, 8);
  std::memcpy(at + 23, &time, 8);

  first_time_ = messages_in_chunk_ == 0 ? time : std::min(first_time_, time);
  last_time_ = messages_in_chunk_ == 0 ? time : std::max(last_time_, time);
  ++messages_in_chunk_;
  ++counter.sequence;
  ++counter.in_chunk;
  used_ += need;
  return at + mcap::kMessageOverhead;
}

}  // namespace jointrig::harness
