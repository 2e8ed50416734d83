#include "harness/runner/parameters.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "control/core/nearest_word.h"
#include "control/core/text.h"

namespace jointrig::harness {
namespace {

constexpr std::size_t kMostVariations = 1000;  // a choice: a larger matrix is a mistake

YamlNode with_spot_of(const YamlNode& value, const YamlNode& place) {
  // A value from the command line has no line of its own: show the place of its use.
  if (value.spot().source != nullptr) return value;
  return value.is_scalar() ? YamlNode(value.kind(), value.raw(), place.spot()) : value;
}

}  // namespace

const YamlNode& Parameters::value_of(const std::string& name, const YamlNode& where) const {
  const auto found = values_.find(name);
  if (found == values_.end()) {
    std::vector<std::string> known;
    for (const auto& [word, value] : values_) known.push_back(word);
    throw where.error("no parameter \"" + name + "\"" + did_you_mean(name, known));
  }
  used_->insert(name);
  return found->second;
}

YamlNode Parameters::put_into_text(const YamlNode& node) const {
  const std::string& text = node.raw();
  std::string result;
  std::size_t at = 0;
  for (;;) {
    const std::size_t open = text.find("${", at);
    if (open == std::string::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) throw node.error("\"${\" without its \"}\"");
    const std::string name = text.substr(open + 2, close - open - 2);
    const YamlNode& value = value_of(name, node);
    if (open == 0 && close + 1 == text.size()) return with_spot_of(value, node);
    if (!value.is_scalar()) {
      throw node.error("parameter \"" + name + "\" is " + std::string(noun(value.kind())) +
                       ": it can stand alone, but not within other text");
    }
    result += text.substr(at, open - at) + value.raw();
    at = close + 1;
  }
  if (at == 0) return node;
  return YamlNode(YamlNode::Kind::kString, result + text.substr(at), node.spot());
}

YamlNode Parameters::put_into(const YamlNode& node) const {
  if (node.is_string()) return put_into_text(node);
  if (node.is_sequence()) {
    std::vector<YamlNode> items;
    for (const YamlNode& item : node.items()) items.push_back(put_into(item));
    return YamlNode(std::move(items), node.spot());
  }
  if (node.is_mapping()) {
    std::vector<YamlNode::Entry> entries;
    for (const YamlNode::Entry& entry : node.entries()) {
      const YamlNode key(YamlNode::Kind::kString, entry.key, entry.spot);
      entries.push_back({put_into_text(key).raw(), entry.spot, put_into(entry.value)});
    }
    return YamlNode(std::move(entries), node.spot());
  }
  return node;
}

void check_used(const YamlNode* declared, const Parameters& parameters) {
  if (declared == nullptr) return;
  for (const YamlNode::Entry& entry : declared->entries()) {
    if (parameters.was_used(entry.key)) continue;
    throw FileError(entry.spot, "parameter \"" + entry.key + "\" is used nowhere: write ${" +
                                    entry.key + "} where it belongs");
  }
}

YamlNode first_round(const YamlNode& document, const Parameters& parameters) {
  Parameters first = parameters;
  first.set("i", YamlNode(YamlNode::Kind::kNumber, "1", {}));
  std::vector<YamlNode::Entry> entries;
  for (const YamlNode::Entry& entry : document.entries()) {
    const bool has_values = entry.key == "parameters" || entry.key == "matrix";
    entries.push_back(
        has_values ? entry : YamlNode::Entry{entry.key, entry.spot, first.put_into(entry.value)});
  }
  return YamlNode(std::move(entries), document.spot());
}

std::vector<Variation> variations_of(const YamlNode* matrix) {
  std::vector<Variation> all{{}};
  if (matrix == nullptr || matrix->is_null()) return all;
  if (matrix->is_sequence()) {
    all.clear();
    for (const YamlNode& item : matrix->items()) {
      Variation variation;
      for (const YamlNode::Entry& entry : item.entries()) {
        variation.emplace_back(entry.key, entry.value);
      }
      all.push_back(std::move(variation));
    }
    return all;
  }
  for (const YamlNode::Entry& entry : matrix->entries()) {
    std::vector<Variation> longer;
    for (const Variation& variation : all) {
      for (const YamlNode& value : entry.value.items()) {
        longer.push_back(variation);
        longer.back().emplace_back(entry.key, value);
      }
    }
    all = std::move(longer);
    if (all.size() > kMostVariations) {
      throw matrix->error(fmt::format("this matrix has more than {} variations", kMostVariations));
    }
  }
  return all;
}

std::string words_of(const YamlNode& node) {
  if (node.is_scalar()) return node.raw();
  if (node.is_sequence()) return "[" + joined(node.items(), ", ", words_of) + "]";
  const auto in_words = [](const YamlNode::Entry& entry) {
    return entry.key + ": " + words_of(entry.value);
  };
  return "{" + joined(node.entries(), ", ", in_words) + "}";
}

namespace {

std::string without_spaces(std::string words) {
  std::erase(words, ' ');
  return words;
}

// Six digits of FNV-1a (Fowler, Noll, Vo): stable from run to run and machine to machine.
std::string digits_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return fmt::format("{:06x}", hash & 0xFFFFFFU);
}

// Cut before a character, not within one.
std::string beginning_of(const std::string& text, std::size_t most) {
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  return text.substr(0, most);
}

}  // namespace

std::string suffix_of(const Variation& variation) {
  std::string suffix;
  for (const auto& [name, value] : variation) {
    suffix += (suffix.empty() ? "" : ",") + name + "=" + without_spaces(words_of(value));
  }
  return suffix.empty() ? "" : "[" + suffix + "]";
}

std::string short_suffix_of(const Variation& variation) {
  // Choices: readable lengths of a value, and of all values.
  constexpr std::size_t kLongestValue = 24;
  constexpr std::size_t kKeptOfValue = 16;
  constexpr std::size_t kLongest = 64;
  std::string suffix;
  for (std::size_t i = 0; i < variation.size(); ++i) {
    std::string words = without_spaces(words_of(variation[i].second));
    if (words.size() > kLongestValue) {
      words = beginning_of(words, kKeptOfValue) + "~" + digits_of(words);
    }
    const std::string part = (i == 0 ? "" : ",") + variation[i].first + "=" + words;
    if (i > 0 && suffix.size() + part.size() > kLongest) {
      const Variation rest(variation.begin() + static_cast<std::ptrdiff_t>(i), variation.end());
      return "[" + suffix + ",~" + digits_of(suffix_of(rest)) + "]";
    }
    suffix += part;
  }
  return suffix.empty() ? "" : "[" + suffix + "]";
}

}  // namespace jointrig::harness
