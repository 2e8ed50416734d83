#include "harness/log/log_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "harness/log/log_messages.h"
#include "harness/log/mcap/message_values.h"

namespace jointrig::harness {
namespace {

/// Offset of a field in each message of its topic.
struct FieldPlace {
  std::size_t offset = 0;  ///< after the CDR header
  FieldType type = FieldType::kFloat64;
  std::string unit;
};

/// Calls `visit(name, place)` for each number until it returns false. Only for fields without a
/// field of variable size before them.
template <typename Visit>
void for_each_field(const MessageSchema& schema, Visit&& visit) {
  std::size_t offset = 0;
  for (const MessageLeaf& leaf : schema.leaves()) {
    const std::size_t size = size_of(leaf.type);
    if (size == 0 || leaf.shape == FieldShape::kSequence) return;
    offset = (offset + size - 1) / size * size;
    const bool single = leaf.shape == FieldShape::kSingle;
    for (std::uint32_t i = 0; i < leaf.count; ++i) {
      const std::string name = single ? leaf.path : fmt::format("{}[{}]", leaf.path, i);
      if (!visit(name, FieldPlace{offset, leaf.type, leaf.unit})) return;
      offset += size;
    }
  }
}

std::optional<FieldPlace> find_field(const MessageSchema& schema, std::string_view field) {
  std::optional<FieldPlace> found;
  for_each_field(schema, [&](const std::string& name, const FieldPlace& place) {
    if (name == field) found = place;
    return !found;
  });
  return found;
}

double as_number(const MessageValue& value) {
  return std::visit(
      [](const auto& v) {
        using V = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<V, std::string_view>) {
          return 0.0;  // find_field() returns no strings
        } else {
          return static_cast<double>(v);
        }
      },
      value);
}

/// The struct of a message, which has the layout of its CDR.
template <typename T>
bool decode(std::span<const std::byte> data, std::size_t size, T& out) {
  if (data.size() != size) return false;
  std::memcpy(static_cast<void*>(&out), data.data() + kCdrHeaderBytes, size - kCdrHeaderBytes);
  return true;
}

std::size_t index_behind(std::string_view topic, std::string_view prefix) {
  return static_cast<std::size_t>(std::stoul(std::string(topic.substr(prefix.size()))));
}

/// Gathers the messages of a cycle into a state.
class StateBuilder {
 public:
  StateBuilder(const McapReader& file, const std::vector<std::string>& joints)
      : boards_(joints.size()) {
    state_.joints.resize(joints.size());
    for (const auto& [id, channel] : file.contents().channels) {
      const std::string& topic = channel.topic;
      const auto begins = [&](std::string_view prefix) { return topic.rfind(prefix, 0) == 0; };
      const auto joint = [&](std::string_view prefix) {
        const auto at = std::find(joints.begin(), joints.end(), topic.substr(prefix.size()));
        return static_cast<std::size_t>(at - joints.begin());
      };
      if (begins("/j/")) places_[id] = {Kind::kJoint, joint("/j/")};
      if (begins("/board/")) places_[id] = {Kind::kBoard, joint("/board/")};
      if (begins("/raw/")) places_[id] = {Kind::kRaw, joint("/raw/")};
      if (begins("/ft/")) places_[id] = {Kind::kForceTorque, index_behind(topic, "/ft/")};
      if (begins("/imu/")) places_[id] = {Kind::kImu, index_behind(topic, "/imu/")};
      if (topic == "/base") places_[id] = {Kind::kBase, 0};
      if (topic == "/loop") places_[id] = {Kind::kLoop, 0};
    }
  }

  std::set<ChannelId> channels() const {
    std::set<ChannelId> ids;
    for (const auto& [id, place] : places_) ids.insert(id);
    return ids;
  }

  /// Returns true if the message completes a state.
  bool take(const mcap::StoredMessage& message) {
    const Place& place = places_.at(message.channel);
    switch (place.kind) {
      case Kind::kJoint: {
        JointMessage joint;
        if (decode(message.data, joint_size_, joint) && place.index < boards_.size()) {
          state_.joints[place.index] = joint_state(joint, boards_[place.index]);
        }
        return false;
      }
      case Kind::kBoard:
        if (place.index < boards_.size()) decode(message.data, board_size_, boards_[place.index]);
        return false;
      case Kind::kRaw: {
        RawMessage raw;
        if (decode(message.data, raw_size_, raw) && place.index < boards_.size()) {
          state_.joints[place.index] = joint_state(raw);
        }
        return false;
      }
      case Kind::kBase: {
        BaseMessage base;
        if (decode(message.data, base_size_, base)) {
          state_.base = {base.position, base.orientation, base.linear_velocity,
                         base.angular_velocity};
        }
        return false;
      }
      case Kind::kForceTorque: {
        ForceTorqueMessage ft;
        if (decode(message.data, ft_size_, ft) && place.index < kMaxForceTorqueSensors) {
          if (state_.force_torque.size() <= place.index)
            state_.force_torque.resize(place.index + 1);
          state_.force_torque[place.index] = {ft.force, ft.torque, ft.missed};
        }
        return false;
      }
      case Kind::kImu: {
        ImuMessage imu;
        if (decode(message.data, imu_size_, imu) && place.index < kMaxImus) {
          if (state_.imus.size() <= place.index) state_.imus.resize(place.index + 1);
          state_.imus[place.index] = {imu.acceleration, imu.angular_velocity, imu.missed};
        }
        return false;
      }
      case Kind::kLoop: {
        LoopMessage loop;
        if (!decode(message.data, loop_size_, loop)) return false;
        state_.cycle = loop.cycle;
        state_.time_ns = message.log_time_ns;
        return true;
      }
    }
    return false;
  }

  const RobotState& state() const { return state_; }

 private:
  enum class Kind { kJoint, kBoard, kRaw, kBase, kForceTorque, kImu, kLoop };
  struct Place {
    Kind kind = Kind::kLoop;
    std::size_t index = 0;
  };

  const std::size_t joint_size_ = joint_message_schema(false).encoded_size();
  const std::size_t board_size_ = board_message_schema(false).encoded_size();
  const std::size_t raw_size_ = raw_message_schema(false).encoded_size();
  const std::size_t base_size_ = base_message_schema().encoded_size();
  const std::size_t ft_size_ = force_torque_message_schema().encoded_size();
  const std::size_t imu_size_ = imu_message_schema().encoded_size();
  const std::size_t loop_size_ = loop_message_schema().encoded_size();

  std::map<ChannelId, Place> places_;
  std::vector<BoardMessage> boards_;
  RobotState state_;
};

/// Throws LogFileError with the fields that there are.
FieldPlace place_of(const McapReader& file, const mcap::StoredChannel& channel,
                    std::string_view field) {
  const SchemaPtr schema = file.schema_of(channel);
  if (auto place = find_field(*schema, field)) return *place;
  std::string fields;
  for (const MessageLeaf& leaf : schema->leaves()) fields += " " + leaf.path;
  throw LogFileError(file.path() + ": topic " + channel.topic + " has no number '" +
                     std::string(field) + "' at a fixed place; its fields are" + fields);
}

/// Throws LogFileError with the topics that there are.
const mcap::StoredChannel& channel_of(const McapReader& file, const std::string& topic) {
  if (const mcap::StoredChannel* channel = file.find(topic)) return *channel;
  std::string topics;
  for (const auto& [id, other] : file.contents().channels) topics += " " + other.topic;
  throw LogFileError(file.path() + ": no topic '" + topic + "'; it has" + topics);
}

void append(const mcap::StoredMessage& message, const FieldPlace& place, Series& series) {
  const std::size_t at = kCdrHeaderBytes + place.offset;
  if (message.data.size() < at + size_of(place.type)) return;
  // A reader needs the header in front, so the value is copied after one.
  std::array<std::byte, kCdrHeaderBytes + 8> cdr{std::byte{0}, std::byte{1}};
  std::memcpy(cdr.data() + kCdrHeaderBytes, message.data.data() + at, size_of(place.type));
  CdrReader in(cdr);
  series.time_ns.push_back(message.log_time_ns);
  series.value.push_back(as_number(read_value(place.type, in)));
}

}  // namespace

LogReader::LogReader(const std::string& path) : file_(path) {
  std::map<std::size_t, std::string> by_index;
  for (const auto& [id, channel] : file_.contents().channels) {
    if (channel.topic.rfind("/j/", 0) != 0) continue;
    const auto index = channel.metadata.find("index");
    if (index == channel.metadata.end()) continue;
    by_index[index_behind(index->second, "")] = channel.topic.substr(3);
  }
  for (const auto& [index, name] : by_index) joints_.push_back(name);
}

Series LogReader::series(std::string_view topic, std::string_view field) const {
  return std::move(series(std::vector{SeriesName{std::string(topic), std::string(field)}}).front());
}

std::vector<Series> LogReader::joint_series(std::string_view field) const {
  std::vector<SeriesName> names;
  for (const std::string& joint : joints_) names.push_back({"/j/" + joint, std::string(field)});
  return series(names);
}

std::vector<Series> LogReader::series(const std::vector<SeriesName>& names) const {
  struct Column {
    FieldPlace place;
    std::size_t index = 0;
  };
  std::vector<Series> all(names.size());
  std::map<ChannelId, std::vector<Column>> columns;
  ReadFilter filter;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const mcap::StoredChannel& channel = channel_of(file_, names[i].topic);
    const FieldPlace place = place_of(file_, channel, names[i].field);
    all[i].unit = place.unit;
    columns[channel.id].push_back({place, i});
    filter.channels.insert(channel.id);
  }
  if (columns.empty()) return all;  // no filter is all channels
  file_.for_each(filter, [&](const mcap::StoredMessage& message) {
    for (const Column& column : columns.at(message.channel)) {
      append(message, column.place, all[column.index]);
    }
    return true;
  });
  return all;
}

std::vector<SeriesName> LogReader::names() const {
  std::vector<SeriesName> all;
  for (const auto& [id, channel] : file_.contents().channels) {
    for_each_field(*file_.schema_of(channel),
                   [&](const std::string& name, const FieldPlace& /*place*/) {
                     all.push_back({channel.topic, name});
                     return true;
                   });
  }
  return all;
}

std::vector<LoggedSentence> LogReader::sentences() const {
  std::vector<LoggedSentence> all;
  const mcap::StoredChannel* channel = file_.find("/events");
  if (channel == nullptr) return all;
  const SchemaPtr schema = file_.schema_of(*channel);
  ReadFilter filter;
  filter.channels = {channel->id};
  file_.for_each(filter, [&](const mcap::StoredMessage& message) {
    for_each_value(
        *schema, message.data,
        [&](std::size_t leaf, std::uint32_t /*element*/, const MessageValue& value) {
          if (schema->leaves()[leaf].path != "msg") return;
          all.push_back({message.log_time_ns, std::string(std::get<std::string_view>(value))});
        });
    return true;
  });
  return all;
}

void LogReader::for_each_state(const std::function<bool(const RobotState&)>& visit) const {
  StateBuilder builder(file_, joints_);
  ReadFilter filter;
  filter.channels = builder.channels();
  file_.for_each(filter, [&](const mcap::StoredMessage& message) {
    return !builder.take(message) || visit(builder.state());
  });
}

Series load_series(const std::string& path, const std::string& joint, const std::string& field) {
  return LogReader(path).series("/j/" + joint, field);
}

}  // namespace jointrig::harness
