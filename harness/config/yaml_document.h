#pragma once
/// YAML files as an immutable tree in which every node knows its place in the file.
///
/// Strict: a key given twice, a key that isn't a word, a second document, an unknown tag and an
/// alias inside its own anchor are errors. Anchors, aliases and merge keys (`<<`) are resolved
/// while loading; a node behind an alias keeps its original place. Plain scalars have the types of
/// YAML 1.2's core schema, numbers in decimal: `true` is a boolean, `yes` and `0x1F` are strings.
/// The number of nodes that aliases multiply is bounded, and so is the depth.
///
/// A document never opens another file by itself.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/config/file_error.h"

namespace jointrig::harness {

/// A node with all nodes beneath it. Cheap to copy: copies share the data.
class YamlNode {
 public:
  enum class Kind : std::uint8_t { kNull, kBoolean, kNumber, kString, kSequence, kMapping };
  struct Entry;
  struct Data;

  YamlNode();                           ///< null, without a place
  YamlNode(const YamlNode&) = default;  // no moves: a node always has its data
  YamlNode& operator=(const YamlNode&) = default;
  ~YamlNode() = default;
  YamlNode(Kind scalar, std::string text, SourceSpot spot);
  YamlNode(std::vector<YamlNode> items, SourceSpot spot);
  YamlNode(std::vector<Entry> entries, SourceSpot spot);

  [[nodiscard]] Kind kind() const noexcept;
  [[nodiscard]] bool is_null() const noexcept { return kind() == Kind::kNull; }
  [[nodiscard]] bool is_number() const noexcept { return kind() == Kind::kNumber; }
  [[nodiscard]] bool is_string() const noexcept { return kind() == Kind::kString; }
  [[nodiscard]] bool is_scalar() const noexcept { return kind() < Kind::kSequence; }
  [[nodiscard]] bool is_sequence() const noexcept { return kind() == Kind::kSequence; }
  [[nodiscard]] bool is_mapping() const noexcept { return kind() == Kind::kMapping; }
  [[nodiscard]] const SourceSpot& spot() const noexcept;

  /// Text of a scalar as written; "" for other nodes. Never throws.
  [[nodiscard]] const std::string& raw() const noexcept;

  /// Value of a scalar of that type; other nodes throw FileError: `expected a number, got "fast"`.
  [[nodiscard]] const std::string& text() const;  ///< of a string
  [[nodiscard]] double number() const;            ///< of a number; `.inf` and `.nan` are numbers
  [[nodiscard]] std::int64_t integer() const;     ///< of a number without fraction; 1e3 is one
  [[nodiscard]] bool boolean() const;             ///< of true or false

  /// Items of a sequence; empty for null, FileError for other nodes.
  [[nodiscard]] const std::vector<YamlNode>& items() const;
  /// Entries of a mapping, in the order of the file; empty for null, FileError for other nodes.
  [[nodiscard]] const std::vector<Entry>& entries() const;

  /// Value of a key of a mapping; nullptr if it is missing or this is no mapping.
  [[nodiscard]] const YamlNode* find(std::string_view key) const noexcept;
  /// Value of a key; throws FileError if it is missing: `key "model" is missing`.
  [[nodiscard]] const YamlNode& at(std::string_view key) const;
  /// Place of a key; the mapping's own spot if the key is missing.
  [[nodiscard]] const SourceSpot& key_spot(std::string_view key) const noexcept;

  /// Number of nodes of this tree, those behind aliases counted each time, and its depth.
  [[nodiscard]] std::size_t weight() const noexcept;
  [[nodiscard]] int depth() const noexcept;

  /// Returns a FileError at this node, for a throw.
  [[nodiscard]] FileError error(std::string sentence) const;

 private:
  std::shared_ptr<const Data> data_;
};

struct YamlNode::Entry {
  std::string key;
  SourceSpot spot;  ///< of the key
  YamlNode value;
};

/// Reads a file. Throws FileError if it can't be read (line 0) or isn't valid.
YamlNode load_yaml(const std::filesystem::path& path);

/// Reads text; `name` replaces the file's name in messages.
YamlNode parse_yaml(std::string_view text, const std::string& name);

/// Reads the value of an argument on the command line; `argument` is the whole argument.
YamlNode parse_yaml_argument(std::string_view text, const std::string& argument);

/// Returns `base` merged with `over`: mappings are merged key by key, anything else is replaced.
/// Nodes keep their original places. Null in `over` changes nothing.
YamlNode merged(const YamlNode& base, const YamlNode& over);

/// Path of a file that a node names, relative to the node's file.
std::filesystem::path path_beside(const YamlNode& node);

/// "a mapping", "a list", "a number", "nothing": for messages.
std::string_view noun(YamlNode::Kind kind) noexcept;

/// Description of a node, for "got ...": `"fast"`, `3`, `a list`, shortened if long.
std::string describe(const YamlNode& node);

/// Text of a scalar that parses back to the same number, to the bit; `.inf`, `-.inf`, `.nan`.
std::string yaml_number(double value);
/// Text of a scalar that parses back to the same string: plain if YAML allows it, else quoted.
std::string yaml_string(std::string_view value);

}  // namespace jointrig::harness
