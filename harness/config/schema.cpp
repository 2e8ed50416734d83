#include "harness/config/schema.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "harness/config/schema_data.h"
#include "harness/config/units.h"

namespace jointrig::harness {
namespace {

// Keywords that our check explains, annotations, and keywords that only valijson checks. Any other
// word in a schema is our mistake.
const std::set<std::string> kKeywords{"type",
                                      "properties",
                                      "additionalProperties",
                                      "required",
                                      "enum",
                                      "minimum",
                                      "maximum",
                                      "exclusiveMinimum",
                                      "items",
                                      "minItems",
                                      "maxItems",
                                      "anyOf",
                                      "allOf",
                                      "$ref",
                                      "definitions",
                                      "const",
                                      "x-unit",
                                      "x-infinite",
                                      "x-one-of",
                                      "x-measures",
                                      "x-key",
                                      "x-default",
                                      "x-renamed",
                                      "title",
                                      "description",
                                      "default",
                                      "$schema",
                                      "examples",
                                      "pattern",
                                      "minLength",
                                      "maxLength",
                                      "uniqueItems",
                                      "minProperties"};

// Refuses a misspelt keyword, anywhere in the schema.
void check_keywords(const Json& schema, const std::string& where) {
  if (schema.is_boolean()) return;
  if (!schema.is_object()) throw std::logic_error("schema: no mapping at " + where);
  if (schema.contains("allOf") && schema.contains("properties")) {
    throw std::logic_error("schema: put the properties into a part of allOf at " + where);
  }
  for (const auto& [keyword, value] : schema.items()) {
    const std::string inner = where + "/" + keyword;
    if (!kKeywords.contains(keyword)) throw std::logic_error("schema: unknown keyword " + inner);
    if (keyword == "properties" || keyword == "definitions") {
      for (const auto& [key, child] : value.items()) check_keywords(child, inner + "/" + key);
    } else if (keyword == "anyOf" || keyword == "allOf") {
      for (const Json& child : value) check_keywords(child, inner);
    } else if (keyword == "items" || keyword == "additionalProperties") {
      check_keywords(value, inner);
    } else if (keyword == "x-unit") {
      const Expected unit(value.get<std::string>());  // throws if it is no unit
    }
  }
}

// Replaces references to files by references to their definitions.
void redirect(Json& schema, const std::string& own_file) {
  if (schema.is_object() && schema.contains("$ref") && schema["$ref"].is_string()) {
    const auto reference = schema["$ref"].get<std::string>();
    const std::size_t hash = std::min(reference.find('#'), reference.size());
    const std::string file = hash == 0 ? own_file : reference.substr(0, hash);
    const std::string pointer = hash < reference.size() ? reference.substr(hash + 1) : "";
    schema["$ref"] = file.empty() ? "#" + pointer : "#/definitions/" + file + pointer;
  }
  if (!schema.is_structured()) return;
  for (Json& child : schema) redirect(child, own_file);
}

YamlNode node_at(const YamlNode& document, const std::vector<std::string>& path) {
  YamlNode node = document;
  for (const std::string& step : path) {
    if (node.is_sequence()) {
      const auto index = static_cast<std::size_t>(std::stoul(step));
      if (index >= node.items().size()) break;
      node = node.items()[index];
    } else if (const YamlNode* child = node.find(step)) {
      node = YamlNode(*child);
    } else {
      break;
    }
  }
  return node;
}

std::string label_of(const std::vector<std::string>& path) {
  return path.empty() ? "" : path.back() + ": ";
}

}  // namespace

const Json& Schema::Data::resolved(const Json& schema) const {
  const Json* at = &schema;
  while (at->is_object() && at->contains("$ref")) {
    const auto reference = (*at)["$ref"].get<std::string>();
    at = &root.at(Json::json_pointer(reference.substr(1)));
  }
  return *at;
}

bool Schema::Data::admits(const Json& schema, YamlNode::Kind kind) const {
  const Json& at = resolved(schema);
  if (!at.contains("type")) return true;
  const auto fits = [kind](const Json& type) {
    switch (kind) {
      case YamlNode::Kind::kNull:
        return type == "null";
      case YamlNode::Kind::kBoolean:
        return type == "boolean";
      case YamlNode::Kind::kNumber:
        return type == "number" || type == "integer";
      case YamlNode::Kind::kString:
        return type == "string";
      case YamlNode::Kind::kSequence:
        return type == "array";
      case YamlNode::Kind::kMapping:
        return type == "object";
    }
    return false;
  };
  const Json& type = at["type"];
  return type.is_array() ? std::any_of(type.begin(), type.end(), fits) : fits(type);
}

const Json& Schema::Data::chosen(const Json& schema, const YamlNode& node) const {
  const Json& at = resolved(schema);
  if (!at.contains("anyOf")) return at;
  const Json* best = &at["anyOf"][0];
  int most = -1;
  for (const Json& alternative : at["anyOf"]) {
    const Json& candidate = resolved(alternative);
    int score = admits(candidate, node.kind()) ? 1000 : 0;
    if (node.is_mapping()) {
      for (const std::string& key : keys(candidate)) score += node.find(key) != nullptr ? 1 : 0;
    }
    if (node.is_string() && candidate.contains("x-unit")) {
      score += looks_like_quantity(node) ? 1 : -1;
    }
    if (score > most) {
      most = score;
      best = &candidate;
    }
  }
  return chosen(*best, node);
}

const Json* Schema::Data::schema_of_key(const Json& schema, const std::string& key) const {
  const Json& at = resolved(schema);
  if (!at.is_object()) return nullptr;
  if (at.contains("properties") && at["properties"].contains(key)) return &at["properties"][key];
  for (const char* combination : {"allOf", "anyOf"}) {
    if (!at.contains(combination)) continue;
    for (const Json& part : at[combination]) {
      if (const Json* found = schema_of_key(part, key)) return found;
    }
  }
  const bool is_free =
      at.contains("additionalProperties") && at["additionalProperties"].is_object();
  return is_free ? &at["additionalProperties"] : nullptr;
}

const Json* Schema::Data::schema_of_items(const Json& schema) const {
  const Json& at = resolved(schema);
  if (at.contains("items")) return &at["items"];
  if (!at.contains("anyOf")) return nullptr;
  for (const Json& part : at["anyOf"]) {
    if (const Json* found = schema_of_items(part)) return found;
  }
  return nullptr;
}

std::vector<std::string> Schema::Data::keys(const Json& schema) const {
  const Json& at = resolved(schema);
  std::vector<std::string> names;
  if (at.contains("properties")) {
    for (const auto& [key, child] : at["properties"].items()) names.push_back(key);
  }
  for (const char* combination : {"allOf", "anyOf"}) {
    if (!at.contains(combination)) continue;
    for (const Json& part : at[combination]) {
      const std::vector<std::string> more = keys(part);
      names.insert(names.end(), more.begin(), more.end());
    }
  }
  return names;
}

Schema::Schema(std::string_view json, const std::map<std::string, std::string_view>& imports) {
  auto data = std::make_shared<Data>();
  data->root = Json::parse(json);
  redirect(data->root, "");
  check_keywords(data->root, "");
  for (const auto& [file, text] : imports) {
    Json imported = Json::parse(text);
    redirect(imported, file);
    check_keywords(imported, file);
    data->root["definitions"][file] = std::move(imported);
  }
  data->standard = compile(data->root);
  data_ = std::move(data);
}

std::vector<FileProblem> Schema::problems(const YamlNode& document) const {
  Problems problems;
  explain(*data_, document, problems);
  problems.collect([&] {
    if (!problems.empty()) return;
    if (const auto violation = first_violation(*data_->standard, to_json(document))) {
      problems.add(node_at(document, violation->path).spot(),
                   label_of(violation->path) + violation->words);
    }
  });
  return problems.list();
}

void Schema::check(const YamlNode& document) const {
  Problems sorted;
  for (const FileProblem& problem : problems(document)) sorted.add(problem.spot, problem.sentence);
  sorted.throw_if_any();
}

}  // namespace jointrig::harness
