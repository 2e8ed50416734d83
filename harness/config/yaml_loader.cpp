// The only file that uses yaml-cpp: converts its events to our tree.

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "harness/config/yaml_document.h"
#include "harness/config/yaml_scalar.h"

namespace jointrig::harness {
namespace {

// Far beyond any robot or scenario; stops exponential aliases and endless nesting.
constexpr std::size_t kMostNodes = 200'000;
constexpr int kDeepest = 100;
constexpr std::uintmax_t kLargestFile = 8U << 20U;
constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";

class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::shared_ptr<const SourceText> source) : source_(std::move(source)) {}

  [[nodiscard]] const std::optional<YamlNode>& root() const noexcept { return root_; }
  [[nodiscard]] SourceSpot spot(const YAML::Mark& mark) const {
    const auto line = static_cast<std::size_t>(std::max(mark.line, 0));
    auto column = static_cast<std::size_t>(std::max(mark.column, 0));
    if (line < source_->lines.size()) column = characters(source_->lines[line], column);
    return {source_, static_cast<int>(line) + 1, static_cast<int>(column) + 1};
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (root_) throw FileError(spot(mark), "a second document begins here; one file holds one");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    place(YamlNode(YamlNode::Kind::kNull, "", spot(mark)), anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const bool is_string = tag == "!" || tag == std::string(kCoreTag) + "str";
    check_tag(mark, tag, {"!", "str", "int", "float", "bool", "null"});
    const YamlNode::Kind kind = is_string ? YamlNode::Kind::kString : kind_of_plain(value);
    place(YamlNode(kind, kind == YamlNode::Kind::kNull ? "" : value, spot(mark)), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw FileError(spot(mark), "an alias inside its own anchor");
    place(found->second, 0);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    check_tag(mark, tag, {"seq"});
    open({.is_mapping = false, .spot = spot(mark), .anchor = anchor});
  }
  void OnSequenceEnd() override {
    Open done = close();
    place(YamlNode(std::move(done.items), done.spot), done.anchor);
  }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    check_tag(mark, tag, {"map"});
    open({.is_mapping = true, .spot = spot(mark), .anchor = anchor});
  }
  void OnMapEnd() override {
    Open done = close();
    place(YamlNode(with_merges(done), done.spot), done.anchor);
  }

 private:
  // A list or mapping before its end.
  struct Open {
    bool is_mapping = false;
    SourceSpot spot{};
    YAML::anchor_t anchor = 0;
    std::vector<YamlNode> items{};
    std::vector<YamlNode::Entry> entries{};
    std::vector<YamlNode> merges{};  // values of `<<`
    std::optional<YamlNode> key{};   // read; its value follows
  };

  // yaml-cpp counts columns in bytes of UTF-8.
  static std::size_t characters(const std::string& line, std::size_t bytes) {
    const std::size_t within = std::min(bytes, line.size());
    const auto end = line.begin() + static_cast<std::ptrdiff_t>(within);
    const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    return static_cast<std::size_t>(std::count_if(line.begin(), end, is_start)) + (bytes - within);
  }

  void check_tag(const YAML::Mark& mark, const std::string& tag,
                 std::initializer_list<std::string_view> known) const {
    if (tag.empty() || tag == "?") return;
    for (const std::string_view word : known) {
      if (tag == word || tag == std::string(kCoreTag).append(word)) return;
    }
    throw FileError(spot(mark), "the tag \"" + tag + "\" is not known here; leave it out");
  }

  void open(Open node) {
    if (open_.size() >= kDeepest) throw FileError(node.spot, too_deep());
    open_.push_back(std::move(node));
  }
  Open close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    return done;
  }

  void place(const YamlNode& node, YAML::anchor_t anchor) {
    if (anchor != 0) anchors_.insert_or_assign(anchor, node);
    count_ += 1;
    if (node.depth() > kDeepest) throw FileError(node.spot(), too_deep());
    if (node.weight() > kMostNodes || count_ > kMostNodes) {
      throw FileError(node.spot(), fmt::format("more than {} values", kMostNodes));
    }
    if (open_.empty()) {
      root_ = node;
    } else if (Open& parent = open_.back(); !parent.is_mapping) {
      parent.items.push_back(node);
    } else if (!parent.key) {
      take_key(parent, node);
    } else {
      take_value(parent, node);
    }
  }

  static void take_key(Open& parent, const YamlNode& key) {
    if (!key.is_scalar() || key.raw().empty()) {
      throw key.error("a key must be a word, got " + describe(key));
    }
    for (const YamlNode::Entry& entry : parent.entries) {
      if (entry.key != key.raw()) continue;
      throw key.error(
          fmt::format("key \"{}\" is given twice; first in line {}", entry.key, entry.spot.line));
    }
    parent.key = key;
  }

  static void take_value(Open& parent, const YamlNode& value) {
    if (parent.key->raw() == "<<") {
      parent.merges.push_back(value);
    } else {
      parent.entries.push_back({parent.key->raw(), parent.key->spot(), value});
    }
    parent.key.reset();
  }

  // Keys of a merge come after the mapping's own keys, which override them.
  static std::vector<YamlNode::Entry> with_merges(const Open& node) {
    std::vector<YamlNode::Entry> entries = node.entries;
    const auto take = [&entries](const YamlNode& from) {
      if (!from.is_mapping()) throw from.error("<< takes a mapping, got " + describe(from));
      for (const YamlNode::Entry& entry : from.entries()) {
        const auto same = [&](const YamlNode::Entry& own) { return own.key == entry.key; };
        if (std::none_of(entries.begin(), entries.end(), same)) entries.push_back(entry);
      }
    };
    for (const YamlNode& merge : node.merges) {
      if (merge.is_sequence()) {
        for (const YamlNode& item : merge.items()) take(item);
      } else {
        take(merge);
      }
    }
    return entries;
  }

  static std::string too_deep() { return fmt::format("nested deeper than {} levels", kDeepest); }

  std::shared_ptr<const SourceText> source_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  std::optional<YamlNode> root_;
  std::size_t count_ = 0;
};

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    lines.emplace_back(text.substr(0, end));
    const bool two_bytes = text.substr(end, 2) == "\r\n";
    text.remove_prefix(std::min(end + (two_bytes ? 2U : 1U), text.size()));
  }
  return lines;
}

YamlNode parse(std::string_view text, const std::shared_ptr<const SourceText>& source) {
  std::istringstream stream{std::string(text)};
  TreeBuilder builder(source);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    throw FileError(builder.spot(error.mark), "this is not YAML: " + error.msg);
  }
  return builder.root() ? *builder.root()
                        : YamlNode(YamlNode::Kind::kNull, "", SourceSpot{source, 1, 1});
}

}  // namespace

YamlNode parse_yaml(std::string_view text, const std::string& name) {
  return parse(text, std::make_shared<const SourceText>(SourceText{name, split_lines(text)}));
}

YamlNode parse_yaml_argument(std::string_view text, const std::string& argument) {
  return parse(text, std::make_shared<const SourceText>(SourceText{argument, {}, true}));
}

YamlNode load_yaml(const std::filesystem::path& path) {
  const auto refuse = [&path](const std::string& why) {
    const auto source = std::make_shared<const SourceText>(SourceText{path.string(), {}});
    return FileError(SourceSpot{source, 0, 0}, why);
  };
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  if (!std::filesystem::exists(status)) throw refuse("there is no such file");
  if (!std::filesystem::is_regular_file(status)) throw refuse("this is not a file");
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  if (size > kLargestFile) {
    throw refuse(fmt::format("the file is larger than {} MiB", kLargestFile >> 20U));
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text(size, '\0');
  if (!stream.read(text.data(), static_cast<std::streamsize>(size))) {
    throw refuse("the file can't be read");
  }
  return parse_yaml(text, path.string());
}

}  // namespace jointrig::harness
