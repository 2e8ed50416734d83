#pragma once
/// A schema as JSON, with what all walks over it share. Of harness/config alone.

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

  /// The schema that a chain of $ref leads to; itself where there is none.
  [[nodiscard]] const Json& resolved(const Json& schema) const;
  /// The alternative of an anyOf that a node was probably meant to be; the schema itself otherwise.
  [[nodiscard]] const Json& chosen(const Json& schema, const YamlNode& node) const;
  /// The schema of a key, by properties or additionalProperties, through allOf and anyOf; nullptr
  /// where the key isn't allowed.
  [[nodiscard]] const Json* schema_of_key(const Json& schema, const std::string& key) const;
  /// The schema of the items of a list; nullptr where it isn't a list.
  [[nodiscard]] const Json* schema_of_items(const Json& schema) const;
  /// All keys that are named.
  [[nodiscard]] std::vector<std::string> keys(const Json& schema) const;
  /// What type, or the types that it has, admits.
  [[nodiscard]] bool admits(const Json& schema, YamlNode::Kind kind) const;
};

/// What our own walk finds wrong.
void explain(const Schema::Data& schema, const YamlNode& document, Problems& problems);

/// What valijson finds wrong, deepest place first.
struct Violation {
  std::vector<std::string> path;  ///< keys, and indices in digits
  std::string words;
};
std::unique_ptr<StandardValidator, StandardValidatorDeleter> compile(const Json& schema);
std::optional<Violation> first_violation(const StandardValidator& standard, const Json& document);

/// A document as JSON. Numbers that are whole become integers.
Json to_json(const YamlNode& node);

}  // namespace jointrig::harness
