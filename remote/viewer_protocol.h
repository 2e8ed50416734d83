#pragma once
/// Messages of the Foxglove WebSocket protocol: JSON texts, and binary ones that begin with an
/// operation of one byte. The sub-protocols foxglove.websocket.v1 and foxglove.sdk.v1 have the
/// same.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/log/live_channels.h"
#include "remote/playback.h"
#include "remote/rate_limit.h"
#include "remote/viewer_feed.h"

namespace jointrig::remote {

inline constexpr std::array<std::string_view, 2> kViewerProtocols{"foxglove.sdk.v1",
                                                                  "foxglove.websocket.v1"};

/// Request of a viewer.
struct SubscribeWish {
  SubscriptionId id = 0;
  harness::ChannelId channel = 0;  ///< 0: a number that no channel can have
};
struct UnsubscribeWish {
  SubscriptionId id = 0;
};
struct ParameterSetting {
  std::string name;
  std::variant<std::monostate, double, std::string> value;  ///< nothing: of another type
};
struct ParametersWish {
  enum class Kind : std::uint8_t { kGet, kSet, kSubscribe, kUnsubscribe };
  Kind kind = Kind::kGet;
  std::vector<std::string> names;               ///< empty: all, but of kSet
  std::vector<ParameterSetting> settings = {};  ///< of kSet, one for each name
  std::optional<std::string> id = {};
};
struct ServiceWish {
  std::uint32_t service = 0;
  std::uint32_t call = 0;
  std::string encoding = {};
  std::vector<std::byte> request = {};
};
/// A wish that can't be met, with the reason.
struct BadWish {
  std::string sentence;
};
using ViewerWish = std::variant<SubscribeWish, UnsubscribeWish, ParametersWish, ServiceWish,
                                PlaybackWish, BadWish>;

/// A text or a binary message of a viewer. Never throws but for want of memory, whatever it is.
[[nodiscard]] std::vector<ViewerWish> read_viewer_text(std::string_view text);
[[nodiscard]] ViewerWish read_viewer_bytes(std::span<const std::byte> bytes);

struct ViewerParameter {
  std::string name;
  std::variant<double, std::string> value;
  bool operator==(const ViewerParameter&) const = default;
};

enum class StatusLevel : std::uint8_t { kInfo, kWarning, kError };

/// Parameters that one message may set: so many commands as fit into a cycle.
inline constexpr auto kMostSettings = static_cast<std::size_t>(kCommandBurst);

[[nodiscard]] std::string server_info(const std::string& robot, const std::string& version,
                                      const std::string& session);
/// Likewise, of a log that is replayed.
[[nodiscard]] std::string replay_info(const std::string& log, const std::string& version,
                                      const std::string& session,
                                      const PlaybackClock::Range& range);
[[nodiscard]] std::string advertise(std::span<const harness::LiveChannel> channels);
/// @param id  of a status that replaces the one before it; empty: none
[[nodiscard]] std::string status_message(StatusLevel level, std::string_view sentence,
                                         std::string_view id = {});
[[nodiscard]] std::string parameter_values(std::span<const ViewerParameter> parameters,
                                           const std::optional<std::string>& id = {});
[[nodiscard]] std::string service_failure(const ServiceWish& wish, std::string_view sentence);
/// Response of each service: that of std_srvs/srv/Trigger.
inline constexpr const char* kServiceResponse = "bool success\nstring message\n";
[[nodiscard]] std::vector<std::byte> service_response(const ServiceWish& wish, bool success,
                                                      std::string_view sentence);

/// @param id  of the wish that it answers; empty: of none
[[nodiscard]] std::vector<std::byte> playback_message(const PlaybackState& state,
                                                      std::string_view id);

/// Header before the CDR of a message.
using MessageHead = std::array<std::byte, 1 + 4 + 8>;
[[nodiscard]] MessageHead message_head(const WaitingMessage& message) noexcept;
/// The robot's time as a message of its own.
[[nodiscard]] std::array<std::byte, 1 + 8> time_message(std::int64_t time_ns) noexcept;

}  // namespace jointrig::remote
