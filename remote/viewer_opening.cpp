#include "remote/viewer_opening.h"

#include <fmt/core.h>

#include <boost/beast/websocket/rfc6455.hpp>

#include "remote/address.h"
#include "remote/viewer_protocol.h"

namespace jointrig::remote {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

std::string_view text(beast::string_view view) { return {view.data(), view.size()}; }

/// A browser can set no header for a WebSocket, so the address may have the token: ?token=...
std::string shown_token(const OpeningRequest& request) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view header = text(request[http::field::authorization]);
  if (header.starts_with(kBearer)) return std::string(header.substr(kBearer.size()));
  constexpr std::string_view kQuery = "?token=";
  const std::string_view target = text(request.target());
  const std::size_t at = target.find(kQuery);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = target.substr(at + kQuery.size());
  return std::string(rest.substr(0, rest.find('&')));
}

}  // namespace

std::string_view common_protocol(const OpeningRequest& request) {
  for (const auto& word : http::token_list(request[http::field::sec_websocket_protocol])) {
    for (const std::string_view ours : kViewerProtocols) {
      if (text(word) == ours) return ours;
    }
  }
  return {};
}

std::optional<ViewerRefusal> why_not(const OpeningRequest& request, const ViewerHub& hub) {
  if (!hub.token.empty() && !same_secret(shown_token(request), hub.token)) {
    return ViewerRefusal{http::status::unauthorized,
                         "a token is wanted here: the header \"Authorization: Bearer ...\", or "
                         "?token=... at the end of the address"};
  }
  const std::string_view origin = text(request[http::field::origin]);
  if (!is_welcome(origin, hub.options->origins)) {
    return ViewerRefusal{
        http::status::forbidden,
        fmt::format("pages of {} may not connect: jointrig's option --viewer-origin "
                    "allows them",
                    origin)};
  }
  if (!beast::websocket::is_upgrade(request)) {
    return ViewerRefusal{http::status::upgrade_required,
                         "this is a Foxglove WebSocket: open its address with ws:// in Foxglove, "
                         "Lichtblick or PlotJuggler"};
  }
  if (common_protocol(request).empty()) {
    return ViewerRefusal{http::status::bad_request,
                         "the sub-protocol has to be foxglove.sdk.v1 or foxglove.websocket.v1"};
  }
  if (hub.viewers < hub.options->viewers) return std::nullopt;
  return ViewerRefusal{
      http::status::service_unavailable,
      fmt::format("{} viewers are connected, and no more may be", hub.viewers.load())};
}

}  // namespace jointrig::remote
