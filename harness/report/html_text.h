#pragma once
/// Text for a page.

#include <optional>
#include <string>
#include <string_view>

namespace jointrig::harness::report {

/// Text between tags or within a quoted attribute: replaces & < > " ', control characters and bytes
/// that are no UTF-8.
std::string escaped(std::string_view text);

/// A path as a link relative to the page: percent-encodes all but unreserved characters and slashes
/// (RFC 3986), so that no URL scheme gets in.
std::string relative_link(std::string_view path);

/// Six significant digits; "–" for nan.
std::string number_text(double value);
std::string number_text(const std::optional<double>& value);
/// `3.207 s`; "–" for nan.
std::string page_seconds(double seconds);

/// JSON within a <script>: without `<`, so that no text in it ends the element.
std::string script_safe(std::string json);

}  // namespace jointrig::harness::report
