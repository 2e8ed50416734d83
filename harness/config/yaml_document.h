#pragma once
/// YAML files as an immutable tree in which every node knows where it was written.
///
/// Strict: a key given twice, a key that isn't a word, a second document, an unknown tag and an
/// alias inside its own anchor are errors. Anchors, aliases and merge keys (`<<`) are resolved
/// while loading; what came through an alias keeps the place where it was written. Plain scalars
/// have the types of YAML 1.2's core schema, numbers in decimal: `true` is a boolean, `yes` and
/// `0x1F` are strings. What aliases multiply is bounded, and so is the depth.
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

/// A node and all beneath it. Cheap to copy: copies share what they point to.
class YamlNode {
 public:
  enum class Kind : std::uint8_t { kNull, kBoolean, kNumber, kString, kSequence, kMapping };
  struct Entry;
  struct Data;

  YamlNode();                           ///< null, from nowhere
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

  /// What a scalar says, as written; "" for the others. Never throws.
  [[nodiscard]] const std::string& raw() const noexcept;

  /// The value of a scalar of that type, else FileError: `expected a number, got "fast"`.
  [[nodiscard]] const std::string& text() const;  ///< of a string
  [[nodiscard]] double number() const;            ///< of a number; `.inf` and `.nan` are numbers
  [[nodiscard]] std::int64_t integer() const;     ///< of a number without fraction; 1e3 is one
  [[nodiscard]] bool boolean() const;             ///< of true or false

  /// Of a sequence; empty for null, FileError for the others.
  [[nodiscard]] const std::vector<YamlNode>& items() const;
  /// Of a mapping, in the order of the file; empty for null, FileError for the others.
  [[nodiscard]] const std::vector<Entry>& entries() const;

  /// The value of a key of a mapping; nullptr where it is missing or this is no mapping.
  [[nodiscard]] const YamlNode* find(std::string_view key) const noexcept;
  /// The same, but a missing key is a FileError: `key "model" is missing`.
  [[nodiscard]] const YamlNode& at(std::string_view key) const;
  /// Where a key stands; the mapping's own spot where the key is missing.
  [[nodiscard]] const SourceSpot& key_spot(std::string_view key) const noexcept;

  /// Nodes of this tree, those behind aliases counted each time, and how deep it is.
  [[nodiscard]] std::size_t weight() const noexcept;
  [[nodiscard]] int depth() const noexcept;

  /// A FileError at this node, to be thrown.
  [[nodiscard]] FileError error(std::string sentence) const;

 private:
  std::shared_ptr<const Data> data_;
};

struct YamlNode::Entry {
  std::string key;
  SourceSpot spot;  ///< of the key
  YamlNode value;
};

/// Reads a file. Throws FileError if it can't be read (line 0) or isn't such YAML.
YamlNode load_yaml(const std::filesystem::path& path);

/// The same from text; `name` stands for the file in messages.
YamlNode parse_yaml(std::string_view text, const std::string& name);

/// The same from the value of an argument on the command line; `argument` is the whole of it.
YamlNode parse_yaml_argument(std::string_view text, const std::string& argument);

/// `base` with the keys of `over` laid on it: mappings are merged key by key, anything else is
/// replaced. Nodes keep the places where they were written. Null in `over` changes nothing.
YamlNode merged(const YamlNode& base, const YamlNode& over);

/// A path written in a file, relative to that file.
std::filesystem::path path_beside(const YamlNode& node);

/// "a mapping", "a list", "a number", "nothing": for messages.
std::string_view noun(YamlNode::Kind kind) noexcept;

/// What a node is, for "got ...": `"fast"`, `3`, `a list`, shortened where long.
std::string describe(const YamlNode& node);

/// The text of a scalar that parses back to the same number to the bit; `.inf`, `-.inf`, `.nan`.
std::string yaml_number(double value);
/// The text of a scalar that parses back to the same string: plain where YAML allows, else quoted.
std::string yaml_string(std::string_view value);

}  // namespace jointrig::harness
