#include "harness/log/mcap/csv_export.h"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <ostream>
#include <type_traits>

#include "harness/log/mcap/mcap_reader.h"
#include "harness/log/mcap/message_values.h"

namespace jointrig::harness {
namespace {

using mcap::StoredChannel;
using mcap::StoredMessage;

constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
constexpr std::size_t kTopicsInAMessage = 12;
constexpr std::int64_t kNsPerSecond = 1'000'000'000;

template <typename T>
void append_number(std::string& cell, T value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  cell.append(text.data(), end);
}

void append_time(std::string& cell, std::int64_t seconds, std::uint64_t nanoseconds) {
  fmt::format_to(std::back_inserter(cell), "{}.{:09}", seconds, nanoseconds);
}

void append_text(std::string& cell, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    cell.append(text);
    return;
  }
  cell += '"';
  for (const char c : text) cell.append(c == '"' ? 2 : 1, c);
  cell += '"';
}

void append_value(std::string& cell, const MessageValue& value) {
  std::visit(
      [&](const auto& it) {
        using T = std::decay_t<decltype(it)>;
        if constexpr (std::is_same_v<T, std::string_view>) {
          append_text(cell, it);
        } else if constexpr (std::is_same_v<T, bool>) {
          cell += it ? '1' : '0';
        } else {
          append_number(cell, it);
        }
      },
      value);
}

bool matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

/// The columns of one leaf of one channel.
struct Columns {
  std::size_t first = kNoColumn;
  std::uint32_t count = 0;
  bool is_seconds = false;  ///< this leaf and the next are the two halves of a time stamp
};

struct Channel {
  const StoredChannel* stored = nullptr;
  SchemaPtr schema;
  std::vector<Columns> leaves;
};

/// "stamp.sec" followed by "stamp.nanosec".
bool is_stamp(std::span<const MessageLeaf> leaves, std::size_t i) {
  if (i + 1 >= leaves.size() || leaves[i].type != FieldType::kInt32 ||
      leaves[i + 1].type != FieldType::kUint32) {
    return false;
  }
  const std::string& sec = leaves[i].path;
  return sec.ends_with(".sec") && leaves[i + 1].path == sec.substr(0, sec.size() - 4) + ".nanosec";
}

class Table {
 public:
  Table(const McapReader& reader, const CsvOptions& options, std::ostream& out)
      : reader_(reader), options_(options), out_(out), used_(options.select.size(), false) {
    for (const auto& [id, stored] : reader.contents().channels) add_channel(id, stored);
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (!used_[i]) refuse(options.select[i]);
    }
  }

  CsvReport write() {
    write_header();
    ReadFilter filter;
    for (const auto& [id, channel] : channels_) filter.channels.insert(id);
    filter.from_ns = options_.from_ns;
    filter.to_ns = options_.to_ns;
    cells_.resize(names_.size());
    if (!channels_.empty()) {
      reader_.for_each_in_time(filter, [&](const StoredMessage& message) {
        take(message);
        return true;
      });
    }
    end_row();
    return {rows_, names_.size() + 1, !reader_.contents().complete};
  }

 private:
  [[noreturn]] void refuse(const std::string& pattern) const {
    std::string topics;
    std::size_t shown = 0;
    for (const auto& [id, channel] : reader_.contents().channels) {
      if (++shown > kTopicsInAMessage) break;
      topics += (topics.empty() ? "" : ", ") + channel.topic;
    }
    if (shown > kTopicsInAMessage) topics += ", ...";
    throw LogFileError("nothing in " + reader_.path() + " matches '" + pattern +
                       "'; its topics are " + (topics.empty() ? "none" : topics));
  }

  bool selected(const std::string& topic, const std::string& path) {
    bool any = options_.select.empty();
    for (std::size_t i = 0; i < options_.select.size(); ++i) {
      const std::string& pattern = options_.select[i];
      if (!matches(pattern, topic) && !matches(pattern, topic + "." + path)) continue;
      used_[i] = true;
      any = true;
    }
    return any;
  }

  void add_channel(ChannelId id, const StoredChannel& stored) {
    // A channel that can't be decoded matters only if its topic is selected.
    if (!options_.select.empty() && !may_match(stored.topic)) return;
    Channel channel{&stored, reader_.schema_of(stored), {}};
    const auto leaves = channel.schema->leaves();
    const std::vector<std::uint32_t> lengths = longest(id, *channel.schema);
    channel.leaves.resize(leaves.size());
    bool any = false;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const bool stamp = is_stamp(leaves, i);
      std::string path = leaves[i].path;
      if (stamp) path.resize(path.size() - std::strlen(".sec"));
      if (selected(stored.topic, path)) {
        add_columns(stored.topic + "." + path, stamp ? "s" : leaves[i].unit, leaves[i], lengths[i],
                    channel.leaves[i]);
        channel.leaves[i].is_seconds = stamp;
        any = true;
      }
      if (stamp) ++i;
    }
    if (any) channels_[id] = std::move(channel);
  }

  /// True if a selection, or the part before one of its dots, fits the topic.
  bool may_match(const std::string& topic) const {
    return std::any_of(options_.select.begin(), options_.select.end(), [&](const auto& pattern) {
      if (matches(pattern, topic)) return true;
      for (std::size_t dot = pattern.find('.'); dot != std::string::npos;
           dot = pattern.find('.', dot + 1)) {
        if (matches(pattern.substr(0, dot), topic)) return true;
      }
      return false;
    });
  }

  void add_columns(const std::string& name, const std::string& unit, const MessageLeaf& leaf,
                   std::uint32_t length, Columns& columns) {
    columns.first = names_.size();
    columns.count = leaf.shape == FieldShape::kSequence ? length : leaf.count;
    for (std::uint32_t i = 0; i < columns.count; ++i) {
      std::string& column = names_.emplace_back(name);
      if (leaf.shape != FieldShape::kSingle) column += fmt::format("[{}]", i);
      if (!unit.empty()) column.append(" [").append(unit).append("]");
    }
  }

  /// The largest number of elements of each leaf in the channel's messages.
  std::vector<std::uint32_t> longest(ChannelId id, const MessageSchema& schema) const {
    std::vector<std::uint32_t> lengths(schema.leaves().size(), 0);
    const bool varies =
        std::any_of(schema.leaves().begin(), schema.leaves().end(),
                    [](const MessageLeaf& leaf) { return leaf.shape == FieldShape::kSequence; });
    if (!varies) return lengths;
    ReadFilter filter;
    filter.channels = {id};
    filter.from_ns = options_.from_ns;
    filter.to_ns = options_.to_ns;
    reader_.for_each(filter, [&](const StoredMessage& message) {
      for_each_value(schema, message.data,
                     [&](std::size_t leaf, std::uint32_t element, const MessageValue&) {
                       lengths[leaf] = std::max(lengths[leaf], element + 1);
                     });
      return true;
    });
    return lengths;
  }

  void write_header() {
    line_ = "time [s]";
    for (const std::string& name : names_) {
      line_ += ',';
      append_text(line_, name);
    }
    line_ += '\n';
    out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
  }

  void take(const StoredMessage& message) {
    const Channel& channel = channels_.at(message.channel);
    const bool again = std::find(in_row_.begin(), in_row_.end(), message.channel) != in_row_.end();
    if (!in_row_.empty() && (again || message.log_time_ns != row_time_ns_)) end_row();
    row_time_ns_ = message.log_time_ns;
    in_row_.push_back(message.channel);
    fill(channel, message);
  }

  void fill(const Channel& channel, const StoredMessage& message) {
    std::int64_t seconds = 0;
    std::size_t stamp_column = kNoColumn;
    const auto put = [&](std::size_t leaf, std::uint32_t element, const MessageValue& value) {
      if (stamp_column != kNoColumn) {
        append_time(cells_[stamp_column], seconds, std::get<std::uint64_t>(value));
        stamp_column = kNoColumn;
        return;
      }
      const Columns& columns = channel.leaves[leaf];
      if (columns.first == kNoColumn) return;
      if (columns.is_seconds) {
        seconds = std::get<std::int64_t>(value);
        stamp_column = columns.first;
        return;
      }
      append_value(cells_[columns.first + element], value);
    };
    if (!for_each_value(*channel.schema, message.data, put)) {
      throw LogFileError(
          fmt::format("a message on '{}' of {} at {} ns is shorter than its schema says",
                      channel.stored->topic, reader_.path(), message.log_time_ns));
    }
  }

  void end_row() {
    if (in_row_.empty()) return;
    line_.clear();
    append_time(line_, row_time_ns_ / kNsPerSecond,
                static_cast<std::uint64_t>(row_time_ns_ % kNsPerSecond));
    for (std::string& cell : cells_) {
      line_ += ',';
      line_ += cell;
      cell.clear();
    }
    line_ += '\n';
    out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
    in_row_.clear();
    ++rows_;
  }

  const McapReader& reader_;
  const CsvOptions& options_;
  std::ostream& out_;
  std::vector<bool> used_;  ///< selections that matched at least once
  std::map<ChannelId, Channel> channels_;
  std::vector<std::string> names_;
  std::vector<std::string> cells_;
  std::vector<ChannelId> in_row_;
  std::int64_t row_time_ns_ = 0;
  std::uint64_t rows_ = 0;
  std::string line_;
};

}  // namespace

CsvReport export_csv(const std::string& log_path, const CsvOptions& options, std::ostream& out) {
  const McapReader reader(log_path);
  const CsvReport report = Table(reader, options, out).write();
  if (!out.flush()) throw LogFileError("writing the table of " + log_path + " failed");
  return report;
}

CsvReport export_csv(const std::string& log_path, const CsvOptions& options,
                     const std::string& csv_path) {
  const McapReader reader(log_path);
  errno = 0;
  std::ofstream out(csv_path, std::ios::binary);
  if (!out) throw LogFileError("cannot create " + csv_path + ": " + std::strerror(errno));
  const CsvReport report = Table(reader, options, out).write();
  errno = 0;
  out.close();
  if (!out) {
    throw LogFileError("writing " + csv_path + " failed: " +
                       (errno != 0 ? std::strerror(errno) : "disk full or file too large"));
  }
  return report;
}

}  // namespace jointrig::harness
