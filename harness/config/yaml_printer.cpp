#include "harness/config/yaml_printer.h"

#include <algorithm>
#include <utility>

namespace jointrig::harness {
namespace {

std::string scalar(const YamlNode& node) {
  if (node.is_null()) return "null";
  return node.is_string() ? yaml_string(node.raw()) : node.raw();
}

// Commas and brackets end a plain text in flow style: such a text is quoted.
std::string flow_scalar(const YamlNode& node) {
  std::string word = scalar(node);
  const bool is_plain = node.is_string() && !word.empty() && word[0] != '"' && word[0] != '\'';
  if (!is_plain || word.find_first_of(",[]{}") == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

// Block style outside, flow style for short nodes, which fit on a line.
class Printer {
 public:
  std::string text;

  void print_mapping(const YamlNode& mapping, int indent, bool first_is_placed = false) {
    bool placed = first_is_placed;
    for (const YamlNode::Entry& entry : mapping.entries()) {
      if (!std::exchange(placed, false)) text.append(static_cast<std::size_t>(indent), ' ');
      text += yaml_string(entry.key) + ":";
      print_value(entry.value, indent);
    }
  }

 private:
  static constexpr std::size_t kWidth = 80;

  void print_value(const YamlNode& node, int indent) {
    if (const std::string line = in_flow_style(node); fits(node, line)) {
      text += " " + line + "\n";
      return;
    }
    text += "\n";
    if (node.is_mapping()) {
      print_mapping(node, indent + 2);
      return;
    }
    for (const YamlNode& item : node.items()) {
      text.append(static_cast<std::size_t>(indent) + 2, ' ');
      text += "- ";
      const std::string line = in_flow_style(item);
      if (item.is_mapping() && line.size() > kWidth) {
        print_mapping(item, indent + 4, true);
      } else {
        text += line + "\n";
      }
    }
  }

  static bool fits(const YamlNode& node, const std::string& line) {
    if (node.is_scalar()) return true;
    const bool is_plain_list =
        node.is_sequence() && std::all_of(node.items().begin(), node.items().end(),
                                          [](const YamlNode& item) { return item.is_scalar(); });
    return (is_plain_list || node.is_mapping()) && line.size() <= kWidth;
  }
};

}  // namespace

std::string in_flow_style(const YamlNode& node) {
  if (node.is_scalar()) return flow_scalar(node);
  std::string line;
  if (node.is_sequence()) {
    for (const YamlNode& item : node.items())
      line += (line.empty() ? "" : ", ") + in_flow_style(item);
    return "[" + line + "]";
  }
  for (const YamlNode::Entry& entry : node.entries()) {
    const YamlNode key(YamlNode::Kind::kString, entry.key, {});
    line += (line.empty() ? "" : ", ") + flow_scalar(key) + ": " + in_flow_style(entry.value);
  }
  return "{" + line + "}";
}

std::string in_block_style(const YamlNode& mapping) {
  Printer printer;
  printer.print_mapping(mapping, 0);
  return printer.text;
}

}  // namespace jointrig::harness
