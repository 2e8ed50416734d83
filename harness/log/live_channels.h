#pragma once
/// The channels of a log for those who watch the run while it goes on: the same topics,
/// definitions and bytes as in the file, but a message that nobody wants is not even encoded.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/log/mcap/mcap_writer.h"

namespace jointrig::harness {

/// As viewers are told of a channel.
struct LiveChannel {
  ChannelId id = 0;  ///< counts up from 1
  std::string topic;
  std::string schema_name;
  std::string definition;  ///< ros2msg; messages are CDR
};

/// Those who watch. The thread of the channels calls it.
class LiveAudience {
 public:
  LiveAudience() = default;
  LiveAudience(const LiveAudience&) = delete;
  LiveAudience& operator=(const LiveAudience&) = delete;
  virtual ~LiveAudience() = default;

  virtual void open(const LiveChannel& channel) = 0;
  [[nodiscard]] virtual bool wants(ChannelId channel) const noexcept = 0;
  /// @param cdr  valid during the call
  virtual void take(ChannelId channel, std::int64_t time_ns,
                    std::span<const std::byte> cdr) noexcept = 0;
  /// Nothing more is waiting for now.
  virtual void rest() noexcept = 0;
  /// True once after somebody began to watch a channel.
  [[nodiscard]] virtual bool take_new_reader() noexcept = 0;
};

/// Has what MessageWriter asks of a log's file.
class LiveChannels {
 public:
  /// The audience outlives the channels.
  explicit LiveChannels(LiveAudience& audience) : audience_(&audience) {}

  template <typename T>
  StructChannel<T> add_channel(const std::string& topic, const StructSchema<T>& schema,
                               const StringMap& /*metadata*/ = {}) {
    return {add_channel(topic, schema.schema()), std::make_shared<const StructSchema<T>>(schema)};
  }
  template <typename View>
  ViewChannel<View> add_channel(const std::string& topic) {
    return {add_channel(topic, schema_of<View>())};
  }
  ChannelId add_channel(const std::string& topic, const SchemaPtr& schema) {
    const auto id = static_cast<ChannelId>(++channels_);
    audience_->open({id, topic, schema->name(), schema->definition()});
    return id;
  }

  template <typename T>
  void write(const StructChannel<T>& channel, std::int64_t time_ns, const T& sample) {
    if (!audience_->wants(channel.id)) return;
    const std::span<std::byte> bytes = scratch(channel.schema->encoded_size());
    channel.schema->encode(sample, bytes.data());
    audience_->take(channel.id, time_ns, bytes);
  }
  template <typename View>
  void write(const ViewChannel<View>& channel, std::int64_t time_ns, const View& message) {
    if (!audience_->wants(channel.id)) return;
    audience_->take(channel.id, time_ns, encode(message, scratch(size_bound(message))));
  }
  void write(ChannelId channel, std::int64_t time_ns, std::span<const std::byte> cdr) noexcept {
    if (audience_->wants(channel)) audience_->take(channel, time_ns, cdr);
  }

  [[nodiscard]] bool ok() const noexcept { return true; }
  void poll() noexcept { audience_->rest(); }
  [[nodiscard]] bool take_new_reader() noexcept { return audience_->take_new_reader(); }

 private:
  std::span<std::byte> scratch(std::size_t size) {
    if (scratch_.size() < size) scratch_.resize(size);
    return std::span(scratch_).first(size);
  }

  LiveAudience* audience_;
  std::uint32_t channels_ = 0;
  std::vector<std::byte> scratch_;
};

}  // namespace jointrig::harness
