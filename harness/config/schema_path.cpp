#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "control/core/nearest_word.h"
#include "harness/config/schema_data.h"

namespace jointrig::harness {
namespace {

struct Step {
  std::string key;
  std::size_t index = 0;
  bool is_index = false;
};

SourceSpot argument_spot(const std::string& argument) {
  return {std::make_shared<const SourceText>(SourceText{argument, {}, true}), 1, 1};
}

class PathParser {
 public:
  PathParser(std::string_view path, SourceSpot spot) : rest_(path), spot_(std::move(spot)) {}

  std::vector<Step> parse() {
    std::vector<Step> steps{key()};
    while (!rest_.empty()) {
      if (take('[')) {
        steps.push_back(index());
      } else if (take('.')) {
        steps.push_back(key());
      } else {
        fail();
      }
    }
    return steps;
  }

 private:
  [[noreturn]] void fail() const {
    throw FileError(spot_, "this is not a path; write one as a.b[2].c");
  }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string take_until(std::string_view ends) {
    const std::size_t length = std::min(rest_.find_first_of(ends), rest_.size());
    std::string word(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return word;
  }
  Step key() {
    const bool quoted = take('"');
    Step step{.key = take_until(quoted ? "\"" : ".[")};
    if (step.key.empty() || (quoted && !take('"'))) fail();
    return step;
  }
  Step index() {
    const std::string digits = take_until("]");
    Step step{.key = "", .is_index = true};
    const char* end = digits.data() + digits.size();
    const auto result = std::from_chars(digits.data(), end, step.index);
    if (digits.empty() || result.ec != std::errc{} || result.ptr != end || !take(']')) fail();
    return step;
  }

  std::string_view rest_;
  SourceSpot spot_;
};

class Setter {
 public:
  Setter(const Schema::Data& schema, std::vector<Step> steps, const YamlNode& value,
         SourceSpot spot)
      : schema_(schema), steps_(std::move(steps)), value_(value), spot_(std::move(spot)) {}

  YamlNode set(const YamlNode& node, const Json& schema, std::size_t depth) {
    if (depth == steps_.size()) return value_;
    return steps_[depth].is_index ? set_item(node, schema, depth) : set_key(node, schema, depth);
  }

 private:
  [[nodiscard]] std::string place(std::size_t depth) const {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) {
      const Step& step = steps_[i];
      if (step.is_index) {
        text += fmt::format("[{}]", step.index);
      } else {
        text.append(i > 0 ? "." : "").append(step.key);
      }
    }
    return text.empty() ? "the file" : text;
  }

  YamlNode set_key(const YamlNode& node, const Json& schema, std::size_t depth) {
    const std::string& key = steps_[depth].key;
    const Json* child = schema_.schema_of_key(schema, key);
    if (child == nullptr) {
      throw FileError(spot_, "there is no \"" + key + "\" in " + place(depth) +
                                 did_you_mean(key, schema_.keys(schema)));
    }
    const bool is_empty = !node.is_mapping();  // a mapping replaces a scalar or nothing
    std::vector<YamlNode::Entry> entries;
    if (!is_empty) entries = node.entries();
    const auto same = [&key](const YamlNode::Entry& entry) { return entry.key == key; };
    const auto found = std::find_if(entries.begin(), entries.end(), same);
    const YamlNode before = found == entries.end() ? YamlNode() : YamlNode(found->value);
    const YamlNode::Entry entry{key, spot_, set(before, *child, depth + 1)};
    if (found == entries.end()) {
      entries.push_back(entry);
    } else {
      *found = entry;
    }
    return {std::move(entries), is_empty ? spot_ : node.spot()};
  }

  YamlNode set_item(const YamlNode& node, const Json& schema, std::size_t depth) {
    const Json* child = schema_.schema_of_items(schema);
    if (child == nullptr) throw FileError(spot_, place(depth) + " is not a list");
    const std::size_t size = node.is_sequence() ? node.items().size() : 0;
    const std::size_t index = steps_[depth].index;
    if (index >= size) {
      throw FileError(spot_, fmt::format("{} has no entry [{}]; it has {}, counted from 0",
                                         place(depth), index, size));
    }
    std::vector<YamlNode> items = node.items();
    items[index] = set(items[index], *child, depth + 1);
    return {std::move(items), node.spot()};
  }

  const Schema::Data& schema_;
  std::vector<Step> steps_;
  YamlNode value_;
  SourceSpot spot_;
};

}  // namespace

YamlNode Schema::set_path(const YamlNode& document, const std::string& assignment,
                          std::string_view before) const {
  const std::string argument = "--set " + std::string(before) + assignment;
  const SourceSpot spot = argument_spot(argument);
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) throw FileError(spot, "expected path=value");
  const YamlNode parsed = parse_yaml_argument(assignment.substr(equals + 1), argument);
  Setter setter(*data_, PathParser(assignment.substr(0, equals), spot).parse(), parsed, spot);
  return setter.set(document, data_->root, 0);
}

}  // namespace jointrig::harness
