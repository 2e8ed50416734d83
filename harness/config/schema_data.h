#pragma once
/// A schema as JSON, with helpers for all checks. Used in harness/config alone.

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/config/schema.h"

namespace jointrig::harness {

using Json = nlohmann::ordered_json;

/// The schema compiled by valijson.
class StandardValidator;
struct StandardValidatorDeleter {
  void operator()(StandardValidator* validator) const noexcept;
};

struct Schema::Data {
  Json root;
  std::unique_ptr<StandardValidator, StandardValidatorDeleter> standard;

  /// The schema at the end of a chain of $ref; the schema itself without $ref.
  [[nodiscard]] const Json& resolved(const Json& schema) const;
  /// The probable alternative of an anyOf for a node; the schema itself otherwise.
  [[nodiscard]] const Json& chosen(const Json& schema, const YamlNode& node) const;
  /// The schema of a key, by properties or additionalProperties, through allOf and anyOf; nullptr
  /// if the key isn't allowed.
  [[nodiscard]] const Json* schema_of_key(const Json& schema, const std::string& key) const;
  /// The schema of the items of a list; nullptr if it isn't a list.
  [[nodiscard]] const Json* schema_of_items(const Json& schema) const;
  /// All keys with a name in the schema.
  [[nodiscard]] std::vector<std::string> keys(const Json& schema) const;
  /// True if the schema's type, or one of its types, admits the kind.
  [[nodiscard]] bool admits(const Json& schema, YamlNode::Kind kind) const;
};

/// Adds the problems that our own check finds.
void explain(const Schema::Data& schema, const YamlNode& document, Problems& problems);

/// A problem that valijson finds, deepest place first.
struct Violation {
  std::vector<std::string> path;  ///< keys, and indices in digits
  std::string words;
};
std::unique_ptr<StandardValidator, StandardValidatorDeleter> compile(const Json& schema);
std::optional<Violation> first_violation(const StandardValidator& standard, const Json& document);

/// A document as JSON. Whole numbers become integers.
Json to_json(const YamlNode& node);

}  // namespace jointrig::harness
