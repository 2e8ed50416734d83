// The only file that uses valijson.

#include <cmath>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "harness/config/schema_data.h"

namespace jointrig::harness {
namespace {

using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

// valijson writes a path as `<root>`, `["joints"]`, `[0]`.
std::vector<std::string> plain_path(const std::vector<std::string>& context) {
  std::vector<std::string> path;
  for (std::size_t i = 1; i < context.size(); ++i) {
    std::string_view step = context[i];
    for (const std::string_view edge : {"[", "\""}) {
      if (step.starts_with(edge)) step.remove_prefix(1);
    }
    for (const std::string_view edge : {"]", "\""}) {
      if (step.ends_with(edge)) step.remove_suffix(1);
    }
    path.emplace_back(step);
  }
  return path;
}

}  // namespace

class StandardValidator {
 public:
  explicit StandardValidator(const json& schema) {
    valijson::SchemaParser parser;
    parser.populateSchema(Adapter(schema), schema_);
  }
  [[nodiscard]] const valijson::Schema& schema() const noexcept { return schema_; }

 private:
  valijson::Schema schema_;
};

void StandardValidatorDeleter::operator()(StandardValidator* validator) const noexcept {
  delete validator;
}

std::unique_ptr<StandardValidator, StandardValidatorDeleter> compile(const Json& schema) {
  return std::unique_ptr<StandardValidator, StandardValidatorDeleter>(
      new StandardValidator(json(schema)));
}

std::optional<Violation> first_violation(const StandardValidator& standard, const Json& document) {
  const json plain(document);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(standard.schema(), Adapter(plain), &results)) return std::nullopt;
  std::optional<Violation> deepest;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    std::vector<std::string> path = plain_path(error.context);
    if (deepest && path.size() <= deepest->path.size()) continue;
    deepest = {std::move(path), error.description};
  }
  if (!deepest) deepest = Violation{{}, "it doesn't fit the schema"};
  return deepest;
}

Json to_json(const YamlNode& node) {
  switch (node.kind()) {
    case YamlNode::Kind::kNull:
      return nullptr;
    case YamlNode::Kind::kBoolean:
      return node.boolean();
    case YamlNode::Kind::kNumber: {
      const double value = node.number();
      const bool whole = value == std::floor(value) && std::abs(value) < 9007199254740992.0;
      return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
    }
    case YamlNode::Kind::kString:
      return node.raw();
    case YamlNode::Kind::kSequence: {
      Json list = Json::array();
      for (const YamlNode& item : node.items()) list.push_back(to_json(item));
      return list;
    }
    case YamlNode::Kind::kMapping: {
      Json mapping = Json::object();
      for (const YamlNode::Entry& entry : node.entries()) mapping[entry.key] = to_json(entry.value);
      return mapping;
    }
  }
  return nullptr;
}

}  // namespace jointrig::harness
