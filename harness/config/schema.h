#pragma once
/// Checks files against JSON schemas (draft 7), with messages for people.
///
/// Two checks: valijson decides by the standard; our own check explains by name, place and nearest
/// known word. If only valijson finds a problem, its message is shown at the right place. Beside
/// the standard keywords our check knows:
///
///     x-unit      the value is a quantity: `rad|m`, `s`, `1` (units.h); minimum and maximum are SI
///     x-infinite  .inf is allowed
///     x-one-of    exactly one of these keys is required
///     x-key       meaning of the free keys of a mapping: `joint`, for tables
///     x-default   the default in words, if it is no fixed value
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
  /// them. Throws std::logic_error for an invalid schema, since it is part of the program.
  explicit Schema(std::string_view json,
                  const std::map<std::string, std::string_view>& imports = {});

  /// Returns all problems of a document, in the order of the file.
  [[nodiscard]] std::vector<FileProblem> problems(const YamlNode& document) const;

  /// Throws FileError with all problems, if there are any.
  void check(const YamlNode& document) const;

  /// Returns the document with one value set, as in `--set joints.r_elbow.stiffness=30`. The path
  /// is followed in the document and in the schema: `steps[2].move.speed`,
  /// `poses."my.pose".r_elbow`. Missing mappings are created; a list is never extended. The value
  /// is read as YAML. Throws FileError for a path that is not in the schema; check() checks the
  /// value.
  /// @param assignment  `path=value`
  /// @param before  prefix by which the user names this document: "robot."
  [[nodiscard]] YamlNode set_path(const YamlNode& document, const std::string& assignment,
                                  std::string_view before = {}) const;

  /// The keys of the schema as Markdown tables: key, type, unit, default, meaning. Keys of inner
  /// mappings are written with dots; each definition with a title gets a table of its own.
  [[nodiscard]] std::string tables_markdown() const;

  struct Data;

 private:
  std::shared_ptr<const Data> data_;
};

}  // namespace jointrig::harness
