#include "remote/viewer_protocol.h"

#include <fmt/core.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/log/mcap/cdr.h"

namespace jointrig::remote {
namespace {

using nlohmann::json;

// First bytes of binary messages.
constexpr std::uint8_t kMessageData = 1;     // to the viewer
constexpr std::uint8_t kTime = 2;            // to the viewer
constexpr std::uint8_t kServiceAnswer = 3;   // to the viewer
constexpr std::uint8_t kPlaybackState = 5;   // to the viewer
constexpr std::uint8_t kServiceRequest = 2;  // from the viewer
constexpr std::uint8_t kPlaybackWish = 3;    // from the viewer
constexpr std::size_t kServiceHead = 1 + 4 + 4 + 4;
/// Operation, command, speed, "has a time", time, length of the number.
constexpr std::size_t kPlaybackHead = 1 + 1 + 4 + 1 + 8 + 4;
constexpr std::size_t kLongestPlaybackId = 256;  ///< a choice: it is sent back
/// A wish in one text; a choice.
constexpr std::size_t kWishesPerText = 4096;

std::string text_of(const json& message) {
  return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

template <typename T>
std::optional<T> number_of(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (found == object.end() || !found->is_number_unsigned()) return std::nullopt;
  const auto number = found->get<std::uint64_t>();
  if (number > std::numeric_limits<T>::max()) return std::nullopt;
  return static_cast<T>(number);
}

std::vector<ViewerWish> bad(std::string sentence) { return {BadWish{std::move(sentence)}}; }

/// The array of a message, or none.
const json* list_of(const json& message, const char* key) {
  const auto found = message.find(key);
  const bool is_list =
      found != message.end() && found->is_array() && found->size() <= kWishesPerText;
  return is_list ? &*found : nullptr;
}

std::vector<ViewerWish> read_subscribe(const json& message) {
  const json* const list = list_of(message, "subscriptions");
  if (list == nullptr) return bad("subscribe: \"subscriptions\" is no list of id and channelId");
  std::vector<ViewerWish> wishes;
  for (const json& one : *list) {
    const auto id = number_of<SubscriptionId>(one, "id");
    if (!id || !number_of<std::uint64_t>(one, "channelId")) {
      return bad("subscribe: each of \"subscriptions\" has the numbers id and channelId");
    }
    wishes.emplace_back(
        SubscribeWish{*id, number_of<harness::ChannelId>(one, "channelId").value_or(0)});
  }
  return wishes;
}

std::vector<ViewerWish> read_unsubscribe(const json& message) {
  const json* const list = list_of(message, "subscriptionIds");
  if (list == nullptr) return bad("unsubscribe: \"subscriptionIds\" is no list of numbers");
  std::vector<ViewerWish> wishes;
  for (const json& one : *list) {
    const bool fits = one.is_number_unsigned() &&
                      one.get<std::uint64_t>() <= std::numeric_limits<SubscriptionId>::max();
    if (!fits) return bad("unsubscribe: \"subscriptionIds\" is no list of numbers");
    wishes.emplace_back(UnsubscribeWish{one.get<SubscriptionId>()});
  }
  return wishes;
}

std::vector<ViewerWish> read_settings(const json& message, std::optional<std::string> id) {
  ParametersWish wish{.kind = ParametersWish::Kind::kSet, .names = {}, .id = std::move(id)};
  const json* const list = list_of(message, "parameters");
  if (list == nullptr) return bad("setParameters: \"parameters\" is no list of name and value");
  if (list->size() > kMostSettings) {
    return bad(fmt::format("setParameters: {} parameters at once, and {} may be", list->size(),
                           kMostSettings));
  }
  for (const json& one : *list) {
    const auto name = one.is_object() ? one.find("name") : one.end();
    if (name == one.end() || !name->is_string()) {
      return bad("setParameters: each of \"parameters\" has a name");
    }
    ParameterSetting setting{name->get<std::string>(), {}};
    const auto value = one.find("value");
    if (value != one.end() && value->is_number()) setting.value = value->get<double>();
    if (value != one.end() && value->is_string()) setting.value = value->get<std::string>();
    wish.names.push_back(setting.name);
    wish.settings.push_back(std::move(setting));
  }
  return {wish};
}

std::vector<ViewerWish> read_parameters(const json& message, const std::string& op,
                                        ParametersWish::Kind kind) {
  ParametersWish wish;
  wish.kind = kind;
  const auto id = message.find("id");
  if (id != message.end() && id->is_string()) wish.id = id->get<std::string>();
  if (kind == ParametersWish::Kind::kSet) return read_settings(message, std::move(wish.id));
  const json* const names = list_of(message, "parameterNames");
  if (names == nullptr) return bad(op + ": \"parameterNames\" is no list of names");
  for (const json& name : *names) {
    if (!name.is_string()) return bad(op + ": \"parameterNames\" is no list of names");
    wish.names.push_back(name.get<std::string>());
  }
  return {wish};
}

void append(std::vector<std::byte>& out, const void* from, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(from);
  out.insert(out.end(), bytes, bytes + size);
}

}  // namespace

std::vector<ViewerWish> read_viewer_text(std::string_view text) {
  const json message = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!message.is_object()) return bad("this is no JSON object; JSON has neither NaN nor infinity");
  const auto found = message.find("op");
  if (found == message.end() || !found->is_string()) return bad("the message has no \"op\"");
  const auto op = found->get<std::string>();
  using Kind = ParametersWish::Kind;
  if (op == "subscribe") return read_subscribe(message);
  if (op == "unsubscribe") return read_unsubscribe(message);
  if (op == "getParameters") return read_parameters(message, op, Kind::kGet);
  if (op == "setParameters") return read_parameters(message, op, Kind::kSet);
  if (op == "subscribeParameterUpdates") return read_parameters(message, op, Kind::kSubscribe);
  if (op == "unsubscribeParameterUpdates") return read_parameters(message, op, Kind::kUnsubscribe);
  return bad(fmt::format("this server has no operation \"{}\"", op.substr(0, 40)));
}

namespace {

ViewerWish read_playback(std::span<const std::byte> bytes) {
  if (bytes.size() < kPlaybackHead) return BadWish{"playback control: the message is cut off"};
  const auto command = static_cast<unsigned>(bytes[1]);
  if (command > 1) {
    return BadWish{
        fmt::format("playback control: there is no command {}: 0 plays, 1 pauses", command)};
  }
  PlaybackWish wish;
  wish.is_play = command == 0;
  std::uint64_t seek_ns = 0;
  std::uint32_t id = 0;
  std::memcpy(&wish.speed, &bytes[2], 4);
  std::memcpy(&seek_ns, &bytes[7], 8);
  std::memcpy(&id, &bytes[15], 4);
  if (bytes[6] != std::byte{0}) wish.seek_ns = seek_ns;
  if (id > bytes.size() - kPlaybackHead) {
    return BadWish{"playback control: the message is cut off"};
  }
  if (id > kLongestPlaybackId) {
    return BadWish{fmt::format("playback control: a request id of {} bytes is too long: {} at most",
                               id, kLongestPlaybackId)};
  }
  wish.id.assign(reinterpret_cast<const char*>(bytes.data()) + kPlaybackHead, id);
  return wish;
}

}  // namespace

ViewerWish read_viewer_bytes(std::span<const std::byte> bytes) {
  if (!bytes.empty() && bytes[0] == std::byte{kPlaybackWish}) return read_playback(bytes);
  if (bytes.empty() || bytes[0] != std::byte{kServiceRequest}) {
    return BadWish{
        "viewers publish nothing here: the binary messages are a service call and playback "
        "control"};
  }
  if (bytes.size() < kServiceHead) return BadWish{"service call: the message is cut off"};
  ServiceWish wish;
  std::uint32_t encoding = 0;
  std::memcpy(&wish.service, &bytes[1], 4);
  std::memcpy(&wish.call, &bytes[5], 4);
  std::memcpy(&encoding, &bytes[9], 4);
  if (encoding > bytes.size() - kServiceHead) {
    return BadWish{"service call: the message is cut off"};
  }
  wish.encoding.assign(reinterpret_cast<const char*>(bytes.data()) + kServiceHead, encoding);
  const auto request = bytes.subspan(kServiceHead + encoding);
  wish.request.assign(request.begin(), request.end());
  return wish;
}

std::string server_info(const std::string& robot, const std::string& version,
                        const std::string& session) {
  return text_of({{"op", "serverInfo"},
                  {"name", "jointrig: " + robot},
                  {"capabilities", {"parameters", "parametersSubscribe", "services", "time"}},
                  {"supportedEncodings", {"cdr"}},
                  {"metadata", {{"robot", robot}, {"version", version}}},
                  {"sessionId", session}});
}

std::string replay_info(const std::string& log, const std::string& version,
                        const std::string& session, const PlaybackClock::Range& range) {
  const auto stamp = [](std::int64_t time_ns) -> json {
    return {{"sec", time_ns / 1'000'000'000}, {"nsec", time_ns % 1'000'000'000}};
  };
  return text_of({{"op", "serverInfo"},
                  {"name", "jointrig: " + log},
                  {"capabilities", {"playbackControl", "time"}},
                  {"supportedEncodings", {"cdr"}},
                  {"metadata", {{"log", log}, {"version", version}}},
                  {"sessionId", session},
                  {"dataStartTime", stamp(range.start_ns)},
                  {"dataEndTime", stamp(range.end_ns)}});
}

std::string advertise(std::span<const harness::LiveChannel> channels) {
  json list = json::array();
  for (const harness::LiveChannel& channel : channels) {
    list.push_back({{"id", channel.id},
                    {"topic", channel.topic},
                    {"encoding", "cdr"},
                    {"schemaName", channel.schema_name},
                    {"schemaEncoding", "ros2msg"},
                    {"schema", channel.definition}});
  }
  return text_of({{"op", "advertise"}, {"channels", std::move(list)}});
}

std::string status_message(StatusLevel level, std::string_view sentence, std::string_view id) {
  json message = {
      {"op", "status"}, {"level", static_cast<int>(level)}, {"message", std::string(sentence)}};
  if (!id.empty()) message["id"] = std::string(id);
  return text_of(message);
}

std::string parameter_values(std::span<const ViewerParameter> parameters,
                             const std::optional<std::string>& id) {
  json list = json::array();
  for (const ViewerParameter& one : parameters) {
    json parameter = {{"name", one.name}};
    if (const double* number = std::get_if<double>(&one.value)) {
      parameter["value"] = *number;
      parameter["type"] = "float64";
    } else {
      parameter["value"] = std::get<std::string>(one.value);
    }
    list.push_back(std::move(parameter));
  }
  json message = {{"op", "parameterValues"}, {"parameters", std::move(list)}};
  if (id) message["id"] = *id;
  return text_of(message);
}

std::string service_failure(const ServiceWish& wish, std::string_view sentence) {
  return text_of({{"op", "serviceCallFailure"},
                  {"serviceId", wish.service},
                  {"callId", wish.call},
                  {"message", std::string(sentence)}});
}

std::vector<std::byte> service_response(const ServiceWish& wish, bool success,
                                        std::string_view sentence) {
  std::vector<std::byte> out;
  constexpr std::string_view kEncoding = "cdr";
  const auto length = static_cast<std::uint32_t>(kEncoding.size());
  append(out, &kServiceAnswer, 1);
  append(out, &wish.service, 4);
  append(out, &wish.call, 4);
  append(out, &length, 4);
  append(out, kEncoding.data(), kEncoding.size());
  std::vector<std::byte> room(sentence.size() + 32);
  harness::CdrWriter response(room);
  response.put(success);
  response.put(sentence);
  append(out, response.bytes().data(), response.size());
  return out;
}

std::vector<std::byte> playback_message(const PlaybackState& state, std::string_view id) {
  std::vector<std::byte> out;
  const auto status = static_cast<std::uint8_t>(state.status);
  const auto did_seek = static_cast<std::uint8_t>(state.did_seek ? 1 : 0);
  const auto length = static_cast<std::uint32_t>(id.size());
  append(out, &kPlaybackState, 1);
  append(out, &status, 1);
  append(out, &state.time_ns, 8);
  append(out, &state.speed, 4);
  append(out, &did_seek, 1);
  append(out, &length, 4);
  append(out, id.data(), id.size());
  return out;
}

MessageHead message_head(const WaitingMessage& message) noexcept {
  MessageHead head{std::byte{kMessageData}};
  std::memcpy(&head[1], &message.subscription, 4);
  std::memcpy(&head[5], &message.time_ns, 8);
  return head;
}

std::array<std::byte, 1 + 8> time_message(std::int64_t time_ns) noexcept {
  std::array<std::byte, 1 + 8> message{std::byte{kTime}};
  std::memcpy(&message[1], &time_ns, 8);
  return message;
}

}  // namespace jointrig::remote
