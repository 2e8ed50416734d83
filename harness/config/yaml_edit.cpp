#include "harness/config/yaml_edit.h"

#include <fmt/core.h>

#include <algorithm>

namespace jointrig::harness {
namespace {

constexpr std::size_t kNowhere = std::string::npos;

/// Byte offsets of a text's nodes.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {
    lines_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool ends = text[i] == '\n' || (text[i] == '\r' && text.substr(i + 1, 1) != "\n");
      if (ends) lines_.push_back(i + 1);
    }
  }

  /// Columns count characters, not bytes.
  [[nodiscard]] std::size_t offset(const SourceSpot& spot) const {
    if (spot.line < 1 || static_cast<std::size_t>(spot.line) > lines_.size()) return kNowhere;
    std::size_t at = lines_[static_cast<std::size_t>(spot.line) - 1];
    for (int column = 1; column < spot.column && at < text_.size(); ++column) {
      ++at;
      while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0U) == 0x80U) ++at;
    }
    return at;
  }
  [[nodiscard]] std::size_t line_begin(std::size_t at) const {
    const auto after = std::upper_bound(lines_.begin(), lines_.end(), at);
    return *std::prev(after);
  }
  /// End of the line at `at`, before its line end.
  [[nodiscard]] std::size_t line_end(std::size_t at) const {
    const std::size_t end = text_.find_first_of("\r\n", at);
    return end == kNowhere ? text_.size() : end;
  }
  [[nodiscard]] std::string_view line_break() const {
    const std::size_t end = text_.find_first_of("\r\n");
    if (end == kNowhere) return "\n";
    return text_.substr(end, 2) == "\r\n" ? text_.substr(end, 2) : text_.substr(end, 1);
  }

  [[nodiscard]] std::size_t quoted_end(std::size_t at) const {
    const char quote = text_[at];
    for (std::size_t i = at + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\' && quote == '"') {
        ++i;
      } else if (text_[i] == quote) {
        if (quote == '\'' && text_.substr(i + 1, 1) == "'") {
          ++i;
        } else {
          return i + 1;
        }
      }
    }
    return kNowhere;
  }
  [[nodiscard]] bool comment_begins(std::size_t at) const {
    return text_[at] == '#' &&
           (at == 0 || std::string_view(" \t\r\n").find(text_[at - 1]) != std::string_view::npos);
  }
  /// Position after the bracket that closes the one at `at`.
  [[nodiscard]] std::size_t bracket_end(std::size_t at) const {
    int depth = 0;
    for (std::size_t i = at; i < text_.size(); ++i) {
      const char c = text_[i];
      const bool begins_word =
          i > 0 && std::string_view(" ,[{:\t\r\n").find(text_[i - 1]) != std::string_view::npos;
      if ((c == '"' || c == '\'') && begins_word) {
        i = quoted_end(i);
        if (i == kNowhere) return kNowhere;
        --i;
      } else if (comment_begins(i)) {
        i = line_end(i) - 1;
      } else if (c == '[' || c == '{') {
        ++depth;
      } else if ((c == ']' || c == '}') && --depth == 0) {
        return i + 1;
      }
    }
    return kNowhere;
  }

  [[nodiscard]] std::string_view text() const noexcept { return text_; }

 private:
  std::string_view text_;
  std::vector<std::size_t> lines_;
};

class Editor {
 public:
  Editor(std::string_view text, const std::string& name)
      : root_(parse_yaml(text, name)), places_(text), text_(text) {}

  std::string set(const YamlEdit& edit) {
    const YamlNode* node = &root_;
    for (std::size_t i = 0; i < edit.path.size(); ++i) {
      if (!node->is_mapping() && !node->is_null()) {
        throw node->error("\"" + edit.path[i] + "\" can't be set here: this is " +
                          std::string(noun(node->kind())));
      }
      const YamlNode::Entry* entry = own_entry(*node, edit.path[i]);
      if (entry == nullptr) return add(*node, i == 0 ? nullptr : last_, edit, i);
      if (is_alias(*entry)) {
        throw FileError(entry->spot,
                        "\"" + entry->key + "\" comes through an alias: change it by hand");
      }
      last_ = entry;
      node = &entry->value;
    }
    if (last_ == nullptr) throw root_.error("a value is set by its key");
    return replace(*last_, edit);
  }

  [[nodiscard]] std::string set(const YamlItemEdit& edit) const {
    const YamlNode& list = root_.at(edit.list);
    if (edit.item >= list.items().size()) throw list.error("the list has no such item");
    const YamlNode& item = list.items()[edit.item];
    const YamlNode::Entry* entry = own_entry(item, edit.key);
    if (entry == nullptr || is_alias(*entry)) {
      throw item.error("\"" + edit.key + "\" comes through an alias: change it by hand");
    }
    const std::size_t begin = after_key(*entry);
    const std::size_t end = std::min(end_of(*entry), text_.size());
    std::string value;
    if (is_flow(entry->value)) {
      value = " " + edit.flow;
    } else {
      const std::size_t key = places_.offset(entry->spot);
      const std::string indent(key - places_.line_begin(key) + 2, ' ');
      for (const std::string& line : edit.lines) {
        value += std::string(places_.line_break()) + indent + line;
      }
    }
    return std::string(text_.substr(0, begin)) + value + std::string(text_.substr(end));
  }

 private:
  /// Ignores an entry from a merge key, which stands elsewhere.
  const YamlNode::Entry* own_entry(const YamlNode& mapping, const std::string& key) const {
    if (!mapping.is_mapping()) return nullptr;
    const std::size_t begin = places_.offset(mapping.spot());
    for (const YamlNode::Entry& entry : mapping.entries()) {
      if (entry.key != key) continue;
      const std::size_t at = places_.offset(entry.spot);
      return at >= begin && at < end_of(mapping) ? &entry : nullptr;
    }
    return nullptr;
  }

  /// Position after a key and its colon.
  [[nodiscard]] std::size_t after_key(const YamlNode::Entry& entry) const {
    std::size_t at = places_.offset(entry.spot);
    at = text_[at] == '"' || text_[at] == '\'' ? places_.quoted_end(at) : at + entry.key.size();
    return text_.find(':', at) + 1;
  }
  [[nodiscard]] bool is_alias(const YamlNode::Entry& entry) const {
    const std::size_t at = text_.find_first_not_of(" \t", after_key(entry));
    return at != kNowhere && text_[at] == '*';
  }

  [[nodiscard]] std::size_t end_of(const YamlNode::Entry& entry) const {
    if (is_alias(entry)) {
      const std::size_t at = text_.find_first_not_of(" \t", after_key(entry));
      return std::min(text_.find_first_of(" \t\r\n,]}", at), text_.size());
    }
    return entry.value.is_null() && entry.value.raw().empty() ? after_key(entry)
                                                              : end_of(entry.value);
  }
  [[nodiscard]] std::size_t end_of(const YamlNode& node) const {
    const std::size_t at = places_.offset(node.spot());
    if (at == kNowhere || at >= text_.size()) return text_.size();
    if (is_flow(node)) return places_.bracket_end(at);
    if (node.is_mapping()) {
      std::size_t end = at;
      for (const YamlNode::Entry& entry : node.entries()) {
        if (places_.offset(entry.spot) >= at) end = std::max(end, end_of(entry));
      }
      return end;
    }
    if (node.is_sequence()) {
      std::size_t end = at;
      for (const YamlNode& item : node.items()) {
        if (places_.offset(item.spot()) >= at) end = std::max(end, end_of(item));
      }
      return end;
    }
    if (text_[at] == '"' || text_[at] == '\'') return places_.quoted_end(at);
    return at + node.raw().size();
  }
  [[nodiscard]] bool is_flow(const YamlNode& node) const {
    const std::size_t at = places_.offset(node.spot());
    if (node.is_scalar() || at >= text_.size()) return false;
    return text_[at] == '{' || text_[at] == '[';
  }

  std::string replace(const YamlNode::Entry& entry, const YamlEdit& edit) const {
    const YamlNode& node = entry.value;
    if (!node.is_scalar()) {
      throw node.error("\"" + edit.path.back() + "\" is " + std::string(noun(node.kind())) +
                       " here: change it by hand");
    }
    if (node.is_null()) return insert(after_key(entry), " " + edit.value);
    const std::size_t at = places_.offset(node.spot());
    const std::size_t end = end_of(node);
    const bool is_quoted = text_[at] == '"' || text_[at] == '\'';
    if (end == kNowhere || (!is_quoted && text_.substr(at, end - at) != node.raw())) {
      throw node.error("this value stands on several lines or has an anchor: change it by hand");
    }
    return std::string(text_.substr(0, at)) + edit.value + std::string(text_.substr(end));
  }

  [[nodiscard]] std::string insert(std::size_t at, const std::string& what) const {
    return std::string(text_.substr(0, at)) + what + std::string(text_.substr(at));
  }

  /// `r_elbow: {kp: 3}` from the key `first` on.
  static std::string in_flow(const YamlEdit& edit, std::size_t first) {
    std::string text = yaml_string(edit.path[first]) + ": ";
    if (first + 1 == edit.path.size()) return text + edit.value;
    return text + "{" + in_flow(edit, first + 1) + "}";
  }

  /// Adds the keys from `first` on to `mapping`, the value of `parent`.
  std::string add(const YamlNode& mapping, const YamlNode::Entry* parent, const YamlEdit& edit,
                  std::size_t first) const {
    const std::string line_break(places_.line_break());
    if (is_flow(mapping)) {
      const std::size_t close = places_.bracket_end(places_.offset(mapping.spot())) - 1;
      std::size_t last = places_.offset(mapping.spot()) + 1;
      for (const YamlNode::Entry& entry : mapping.entries()) {
        const std::size_t at = places_.offset(entry.spot);
        if (at >= last && at < close) last = std::max(last, end_of(entry));
      }
      const bool is_first =
          text_.find_first_not_of(" \t\r\n", places_.offset(mapping.spot()) + 1) == close;
      return insert(last, (is_first ? "" : ", ") + in_flow(edit, first));
    }
    if (mapping.is_mapping()) {
      const std::size_t begin = places_.offset(mapping.spot());
      const std::string indent(begin - places_.line_begin(begin), ' ');
      return insert(places_.line_end(end_of(mapping)),
                    line_break + in_block(edit, first, indent, line_break));
    }
    if (parent == nullptr) {  // an empty file
      const bool wants_break = !text_.empty() && text_.back() != '\n';
      return std::string(text_) + (wants_break ? line_break : "") +
             in_block(edit, first, "", line_break) + line_break;
    }
    const std::size_t key = places_.offset(parent->spot);
    const std::string indent(key - places_.line_begin(key) + 2, ' ');
    return insert(places_.line_end(after_key(*parent)),
                  line_break + in_block(edit, first, indent, line_break));
  }

  /// Top-level keys get lines of their own; inner keys stand on one line.
  static std::string in_block(const YamlEdit& edit, std::size_t first, const std::string& indent,
                              const std::string& line_break) {
    if (first > 0 || edit.path.size() == 1) return indent + in_flow(edit, first);
    return indent + yaml_string(edit.path[0]) + ":" + line_break + indent + "  " + in_flow(edit, 1);
  }

  YamlNode root_;
  Places places_;
  std::string_view text_;
  const YamlNode::Entry* last_ = nullptr;
};

bool equal(const YamlNode& a, const YamlNode& b) {
  if (a.kind() != b.kind() || a.raw() != b.raw()) return false;
  if (a.is_sequence()) {
    return std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end(),
                      equal);
  }
  if (!a.is_mapping()) return true;
  const auto same = [](const YamlNode::Entry& x, const YamlNode::Entry& y) {
    return x.key == y.key && equal(x.value, y.value);
  };
  return a.entries().size() == b.entries().size() &&
         std::is_permutation(a.entries().begin(), a.entries().end(), b.entries().begin(), same);
}

YamlNode nested(const YamlEdit& edit, std::size_t first, const YamlNode& value) {
  if (first == edit.path.size()) return value;
  return {std::vector<YamlNode::Entry>{{edit.path[first], {}, nested(edit, first + 1, value)}}, {}};
}

std::string set(std::string_view text, const std::string& name, const YamlEdit& edit) {
  std::string result = Editor(text, name).set(edit);
  const YamlNode before = parse_yaml(text, name);
  const YamlNode value = parse_yaml(edit.value, name);
  if (!equal(parse_yaml(result, name), merged(before, nested(edit, 0, value)))) {
    throw before.error("can't set \"" + edit.path.back() +
                       "\" without changing something else: change it by hand");
  }
  return result;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string diff_line(char sign, std::size_t number, std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return fmt::format("{} {:4}  {}\n", sign, number, line);
}

}  // namespace

std::string edited_yaml(std::string_view text, const std::string& name,
                        const std::vector<YamlEdit>& edits) {
  std::string result(text);
  for (const YamlEdit& edit : edits) result = set(result, name, edit);
  return result;
}

std::string with_item_value(std::string_view text, const std::string& name,
                            const YamlItemEdit& edit) {
  return Editor(text, name).set(edit);
}

std::string line_diff(std::string_view before, std::string_view after) {
  const auto a = lines_of(before);
  const auto b = lines_of(after);
  // Length of the longest common part of the lines after each pair of lines.
  std::vector<std::vector<int>> common(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      common[i][j] =
          a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  struct Line {
    char sign;
    std::size_t number;
    std::string_view text;
  };
  std::vector<Line> all;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      all.push_back({' ', j + 1, b[j]});
      ++i;
      ++j;
    } else if (i < a.size() && (j == b.size() || common[i + 1][j] >= common[i][j + 1])) {
      all.push_back({'-', i + 1, a[i]});
      ++i;
    } else {
      all.push_back({'+', j + 1, b[j]});
      ++j;
    }
  }
  std::string text;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool near =
        (k > 0 && all[k - 1].sign != ' ') || (k + 1 < all.size() && all[k + 1].sign != ' ');
    if (all[k].sign != ' ' || near) text += diff_line(all[k].sign, all[k].number, all[k].text);
  }
  return text;
}

}  // namespace jointrig::harness
