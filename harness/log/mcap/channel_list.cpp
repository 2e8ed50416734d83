#include "harness/log/mcap/channel_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "harness/log/mcap/mcap_reader.h"

namespace jointrig::harness {
namespace {

using mcap::StoredChannel;

constexpr std::size_t kLineWidth = 100;

/// Times and numbers of messages.
struct Counted {
  std::map<ChannelId, std::uint64_t> messages;
  std::int64_t first_ns = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_ns = std::numeric_limits<std::int64_t>::min();
  std::uint64_t all = 0;

  void span(std::int64_t from_ns, std::int64_t to_ns) {
    first_ns = std::min(first_ns, from_ns);
    last_ns = std::max(last_ns, to_ns);
  }
};

/// By the index of a log that was closed; else by its messages.
Counted counted(const McapReader& log) {
  const mcap::Contents& contents = log.contents();
  Counted found;
  found.messages = contents.message_counts;
  if (!found.messages.empty() && contents.loose_messages == 0) {
    for (const auto& [channel, count] : found.messages) found.all += count;
    for (const mcap::ChunkPlace& chunk : contents.chunks) {
      if (chunk.channels.empty()) continue;  // it has no message
      found.span(static_cast<std::int64_t>(chunk.start_time),
                 static_cast<std::int64_t>(chunk.end_time));
    }
  } else {
    log.for_each({}, [&](const mcap::StoredMessage& message) {
      ++found.all;
      found.span(message.log_time_ns, message.log_time_ns);
      ++found.messages[message.channel];
      return true;
    });
  }
  if (found.first_ns > found.last_ns) found.first_ns = found.last_ns = 0;  // there are none
  return found;
}

/// Words after one another, on lines of a bounded width, each with two spaces in front.
std::string wrapped(const std::vector<std::string>& words) {
  std::string text;
  std::string line = " ";
  for (const std::string& word : words) {
    if (line.size() + 1 + word.size() > kLineWidth && line.size() > 1) {
      text += line + "\n";
      line = " ";
    }
    line += " " + word;
  }
  return text + line + "\n";
}

/// The field's name as a selection takes it, with its unit. A time stamp is one field.
std::vector<std::string> fields_of(const MessageSchema& schema) {
  std::vector<std::string> fields;
  for (const MessageLeaf& leaf : schema.leaves()) {
    if (leaf.path.ends_with(".nanosec")) continue;
    const bool is_time = leaf.path.ends_with(".sec");
    std::string field = is_time ? leaf.path.substr(0, leaf.path.size() - 4) : leaf.path;
    if (leaf.shape == FieldShape::kArray) field += fmt::format("[{}]", leaf.count);
    if (leaf.shape == FieldShape::kSequence) field += "[]";
    const std::string unit = is_time ? "s" : leaf.unit;
    fields.push_back(unit.empty() ? field : field + " [" + unit + "]");
  }
  return fields;
}

}  // namespace

std::string channel_list(const std::string& log_path) {
  const McapReader log(log_path);
  const Counted found = counted(log);
  const mcap::Contents& contents = log.contents();
  std::string text = fmt::format(
      "{}: {} channels, {} messages from {:.3f} s to {:.3f} s{}\n", log_path,
      contents.channels.size(), found.all, static_cast<double>(found.first_ns) * 1e-9,
      static_cast<double>(found.last_ns) * 1e-9, contents.complete ? "" : "; its end is cut off");

  // In the order of the file, each type where its first channel is.
  std::vector<std::uint16_t> types;
  std::map<std::uint16_t, std::vector<const StoredChannel*>> channels;
  for (const auto& [id, channel] : contents.channels) {
    auto& of_type = channels[channel.schema_id];
    if (of_type.empty()) types.push_back(channel.schema_id);
    of_type.push_back(&channel);
  }
  for (const std::uint16_t type : types) {
    std::vector<std::string> topics;
    for (const StoredChannel* channel : channels[type]) {
      const auto count = found.messages.find(channel->id);
      topics.push_back(fmt::format("{} ({})", channel->topic,
                                   count == found.messages.end() ? 0 : count->second));
    }
    const SchemaPtr schema = log.schema_of(*channels[type].front());
    text += "\n" + schema->name() + "\n" + wrapped(topics) + "  fields:\n" +
            wrapped(fields_of(*schema));
  }
  return text;
}

}  // namespace jointrig::harness
