#pragma once
/// JSON schemas (draft 7) that files are held to, with messages for people.
///
/// Two walks: valijson decides by the standard, our own explains by name, place and nearest right
/// word. Where only valijson objects, its words are shown at the right place. Beside the standard
/// keywords our walk knows:
///
///     x-unit      the value is a quantity: `rad|m`, `s`, `1` (units.h); minimum and maximum are SI
///     x-infinite  .inf is allowed
///     x-one-of    exactly one of these keys has to be there
///     x-key       what the free keys of a mapping are: `joint`, for tables
///     x-default   the default in words, where it is no fixed value
///     title       on a definition: it gets a table of its own
///
/// anyOf picks one alternative by the form of the node (scalar, list, mapping; then the most keys
/// in common), and the messages are those of that alternative.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/config/yaml_document.h"

namespace jointrig::harness {

class Schema {
 public:
  /// `imports`: other schemas by file name; `"$ref": "robot.schema.json#/definitions/robot"` finds
  /// them. Throws std::logic_error for a schema that can't be used: it is part of the program.
  explicit Schema(std::string_view json,
                  const std::map<std::string, std::string_view>& imports = {});

  /// Everything that is wrong with a document, in the order of the file.
  [[nodiscard]] std::vector<FileProblem> problems(const YamlNode& document) const;

  /// Throws FileError with all of it, if there is any.
  void check(const YamlNode& document) const;

  /// The document with one value set, as `--set joints.r_elbow.stiffness=30` asks. The path is
  /// followed in the document and in the schema: `steps[2].move.speed`, `poses."my.pose".r_elbow`.
  /// Mappings that are missing are made; a list is never made longer. The value is read as YAML.
  /// Throws FileError for a path that the schema doesn't have; check() has the last word on values.
  /// @param assignment  `path=value`
  /// @param before      what the user wrote in front of it, to name this document: "robot."
  [[nodiscard]] YamlNode set_path(const YamlNode& document, const std::string& assignment,
                                  std::string_view before = {}) const;

  /// The keys of the schema as Markdown tables: key, type, unit, default, meaning. Keys of inner
  /// mappings are written with dots; definitions with a title follow with a table of their own.
  [[nodiscard]] std::string tables_markdown() const;

  struct Data;

 private:
  std::shared_ptr<const Data> data_;
};

}  // namespace jointrig::harness
