#include "harness/config/yaml_document.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "control/core/nearest_word.h"
#include "harness/config/yaml_data.h"
#include "harness/config/yaml_scalar.h"

namespace jointrig::harness {
namespace {

const std::shared_ptr<const YamlNode::Data>& nothing() {
  static const auto kNothing = std::make_shared<const YamlNode::Data>();
  return kNothing;
}

std::shared_ptr<const YamlNode::Data> make(YamlNode::Data data) {
  return std::make_shared<const YamlNode::Data>(std::move(data));
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return '"' + std::string(text) + '"';
  return '"' + std::string(text.substr(0, kLongest)) + "...\"";
}

}  // namespace

YamlNode::YamlNode() : data_(nothing()) {}

YamlNode::YamlNode(Kind scalar, std::string text, SourceSpot spot)
    : data_(make({.kind = scalar, .text = std::move(text), .spot = std::move(spot)})) {}

YamlNode::YamlNode(std::vector<YamlNode> items, SourceSpot spot) {
  Data data{.kind = Kind::kSequence, .spot = std::move(spot), .items = std::move(items)};
  for (const YamlNode& item : data.items) data.hold(*item.data_);
  data_ = make(std::move(data));
}

YamlNode::YamlNode(std::vector<Entry> entries, SourceSpot spot) {
  Data data{.kind = Kind::kMapping, .spot = std::move(spot), .entries = std::move(entries)};
  for (const Entry& entry : data.entries) data.hold(*entry.value.data_);
  data_ = make(std::move(data));
}

YamlNode::Kind YamlNode::kind() const noexcept { return data_->kind; }
const SourceSpot& YamlNode::spot() const noexcept { return data_->spot; }
const std::string& YamlNode::raw() const noexcept { return data_->text; }
std::size_t YamlNode::weight() const noexcept { return data_->weight; }
int YamlNode::depth() const noexcept { return data_->depth; }

FileError YamlNode::error(std::string sentence) const {
  return FileError(spot(), std::move(sentence));
}

const std::string& YamlNode::text() const {
  if (!is_string()) {
    const bool quotes_help = is_number() || kind() == Kind::kBoolean;
    throw error("expected a string, got " + describe(*this) +
                (quotes_help ? "; put it in quotes" : ""));
  }
  return raw();
}

double YamlNode::number() const {
  if (!is_number()) throw error("expected a number, got " + describe(*this));
  std::string_view text = raw();
  if (const auto hex = hexadecimal(text)) return static_cast<double>(*hex);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  if (text == ".inf" || text == ".Inf" || text == ".INF") {
    value = std::numeric_limits<double>::infinity();
  } else if (text == ".nan" || text == ".NaN" || text == ".NAN") {
    return std::numeric_limits<double>::quiet_NaN();
  } else {
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec == std::errc::result_out_of_range) {
      throw error("the number " + raw() + " is out of range");
    }
  }
  return negative ? -value : value;
}

std::int64_t YamlNode::integer() const {
  // Read as an integer if written as one: a double would lose digits beyond 2^53.
  std::int64_t exact = 0;
  const std::string_view text = is_number() ? std::string_view(raw()) : std::string_view();
  if (const auto hex = hexadecimal(text)) return *hex;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), exact);
  if (result.ec == std::errc{} && result.ptr == text.data() + text.size()) return exact;

  constexpr double kLargest = 9007199254740992.0;  // 2^53
  const double value = is_number() ? number() : std::numeric_limits<double>::quiet_NaN();
  if (!(std::abs(value) <= kLargest) || value != std::floor(value)) {
    throw error("expected a whole number, got " + describe(*this));
  }
  return static_cast<std::int64_t>(value);
}

bool YamlNode::boolean() const {
  if (kind() != Kind::kBoolean) throw error("expected true or false, got " + describe(*this));
  return raw().starts_with('t') || raw().starts_with('T');
}

const std::vector<YamlNode>& YamlNode::items() const {
  if (!is_sequence() && !is_null()) throw error("expected a list, got " + describe(*this));
  return data_->items;
}

const std::vector<YamlNode::Entry>& YamlNode::entries() const {
  if (!is_mapping() && !is_null()) throw error("expected a mapping, got " + describe(*this));
  return data_->entries;
}

const YamlNode* YamlNode::find(std::string_view key) const noexcept {
  for (const Entry& entry : data_->entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

const YamlNode& YamlNode::at(std::string_view key) const {
  static_cast<void>(entries());  // a mapping, or it throws
  const YamlNode* value = find(key);
  if (value == nullptr) throw error("key \"" + std::string(key) + "\" is missing");
  return *value;
}

const SourceSpot& YamlNode::key_spot(std::string_view key) const noexcept {
  for (const Entry& entry : data_->entries) {
    if (entry.key == key) return entry.spot;
  }
  return spot();
}

YamlNode merged(const YamlNode& base, const YamlNode& over) {
  if (over.is_null()) return base;
  if (!base.is_mapping() || !over.is_mapping()) return over;
  std::vector<YamlNode::Entry> entries = base.entries();
  for (const YamlNode::Entry& entry : over.entries()) {
    const auto same = [&entry](const YamlNode::Entry& other) { return other.key == entry.key; };
    const auto found = std::find_if(entries.begin(), entries.end(), same);
    if (found == entries.end()) {
      entries.push_back(entry);
    } else {
      *found = {entry.key, entry.spot, merged(found->value, entry.value)};
    }
  }
  return {std::move(entries), base.spot()};
}

std::filesystem::path path_beside(const YamlNode& node) {
  std::filesystem::path path = node.text();
  const SourceText* source = node.spot().source.get();
  if (path.is_absolute() || source == nullptr || source->is_argument) return path;
  return (std::filesystem::path(source->name).parent_path() / path).lexically_normal();
}

std::string_view noun(YamlNode::Kind kind) noexcept {
  switch (kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kBoolean:
      return "true or false";
    case YamlNode::Kind::kNumber:
      return "a number";
    case YamlNode::Kind::kString:
      return "a string";
    case YamlNode::Kind::kSequence:
      return "a list";
    case YamlNode::Kind::kMapping:
      return "a mapping";
  }
  return "nothing";
}

std::string describe(const YamlNode& node) {
  if (node.is_string()) return in_quotes(node.raw());
  if (node.is_number() || node.kind() == YamlNode::Kind::kBoolean) return node.raw();
  return std::string(noun(node.kind()));
}

std::string yaml_number(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value < 0 ? "-.inf" : ".inf";
  // The fewest digits that read back; without an exponent where people would write none.
  std::array<char, 32> text{};
  const double size = std::abs(value);
  const bool is_plain = size == 0.0 || (size >= 1e-5 && size < 1e9);
  const auto format = is_plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value, format);
  return {text.data(), result.ptr};
}

std::string yaml_string(std::string_view value) {
  static const std::vector<std::string> kTaken{"null", "true", "false", "yes", "no",
                                               "on",   "off",  "y",     "n"};
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_plain = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '/' || c == '.';
  };
  const auto is_taken = [&](const std::string& word) { return edit_distance(word, value) == 0; };
  const bool plain = !value.empty() && (is_letter(value.front()) || value.front() == '_') &&
                     std::all_of(value.begin(), value.end(), is_plain) &&
                     std::none_of(kTaken.begin(), kTaken.end(), is_taken);
  if (plain) return std::string(value);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text = "\"";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      text += "\\x";
      text += kHex[byte >> 4U];
      text += kHex[byte & 0xFU];
    } else {
      text += c;
    }
  }
  return text + '"';
}

}  // namespace jointrig::harness
