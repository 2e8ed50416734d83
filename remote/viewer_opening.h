#pragma once
/// How a viewer opens its connection.

#include <boost/beast/http.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "remote/viewer_hub.h"

namespace jointrig::remote {

using OpeningRequest = boost::beast::http::request<boost::beast::http::empty_body>;

/// Why a viewer is not let in.
struct ViewerRefusal {
  boost::beast::http::status status = boost::beast::http::status::bad_request;
  std::string sentence;
};

[[nodiscard]] std::optional<ViewerRefusal> why_not(const OpeningRequest& request,
                                                   const ViewerHub& hub);

/// The first of the viewer's sub-protocols that is ours; empty: none.
[[nodiscard]] std::string_view common_protocol(const OpeningRequest& request);

}  // namespace jointrig::remote
