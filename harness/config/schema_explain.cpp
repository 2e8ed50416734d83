#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "control/core/nearest_word.h"
#include "control/core/text.h"
#include "harness/config/schema_data.h"
#include "harness/config/units.h"

namespace jointrig::harness {
namespace {

std::string plain_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() ? yaml_number(value.get<double>()) : value.dump();
}

class Explainer {
 public:
  Explainer(const Schema::Data& schema, Problems& problems)
      : schema_(schema), problems_(problems) {}

  void visit(const YamlNode& node, const Json& general) {
    const Json& schema = schema_.chosen(general, node);
    if (!schema.is_object()) return;
    if (schema.contains("allOf")) {
      for (const Json& part : schema["allOf"]) visit(node, part);
    }
    if (schema.contains("x-unit")) {
      quantity_of(node, schema);
      return;
    }
    if (!schema_.admits(schema, node.kind())) {
      complain(node,
               "expected " + wanted(general) + ", got " + describe(node) + advice(node, schema));
      return;
    }
    word(node, schema);
    if (node.is_number()) problems_.collect([&] { number(node, schema); });
    if (node.is_mapping()) mapping(node, schema);
    if (node.is_sequence()) list(node, schema);
  }

 private:
  // ": " after the last step of the path, so that a list's item and an argument have a name.
  void complain(const YamlNode& node, const std::string& sentence) {
    problems_.add(node.spot(), (label_.empty() ? "" : label_ + ": ") + sentence);
  }
  [[nodiscard]] std::string in_label() const { return label_.empty() ? "" : " in " + label_; }

  void inside(const std::string& label, const YamlNode& node, const Json& schema) {
    const std::string outer = std::exchange(label_, label);
    visit(node, schema);
    label_ = outer;
  }

  [[nodiscard]] std::string wanted(const Json& general) const {
    const Json& schema = schema_.resolved(general);
    std::vector<std::string> kinds;
    if (schema.contains("anyOf")) {
      for (const Json& alternative : schema["anyOf"]) {
        const std::string kind = wanted(alternative);
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
      }
      return joined(kinds, " or ");
    }
    if (schema.contains("x-unit")) return "a number with or without a unit";
    const Json& type = schema["type"];
    for (const Json& one : type.is_array() ? type : Json::array({type})) {
      kinds.emplace_back(one == "object"    ? "a mapping"
                         : one == "array"   ? "a list"
                         : one == "boolean" ? "true or false"
                         : one == "integer" ? "a whole number"
                         : one == "number"  ? "a number"
                         : one == "null"    ? "nothing"
                                            : "a string");
    }
    return joined(kinds, " or ");
  }

  [[nodiscard]] std::string advice(const YamlNode& node, const Json& schema) const {
    const bool wants_string = schema_.admits(schema, YamlNode::Kind::kString);
    const bool is_word = node.is_number() || node.kind() == YamlNode::Kind::kBoolean;
    return wants_string && is_word ? "; put it in quotes" : "";
  }

  void quantity_of(const YamlNode& node, const Json& schema) {
    Quantity found;
    try {
      found = any_quantity(node);
      quantity(node, Expected(schema["x-unit"].get<std::string>()));
    } catch (const FileError& error) {
      complain(node, error.sentence());
      return;
    }
    range(node, found.value, schema);
  }

  void number(const YamlNode& node, const Json& schema) {
    const bool whole = schema.contains("type") && schema["type"] == "integer";
    try {
      if (whole) static_cast<void>(node.integer());
      range(node, node.number(), schema);
    } catch (const FileError& error) {
      complain(node, error.sentence());
    }
  }

  void range(const YamlNode& node, double value, const Json& schema) {
    const bool may_be_infinite = schema.value("x-infinite", false);
    if (std::isnan(value) || (std::isinf(value) && !may_be_infinite)) {
      complain(node, node.raw() + " is not a finite number");
      return;
    }
    const std::string unit = unit_of(node, schema);
    if (schema.contains("minimum") && value < schema["minimum"].get<double>()) {
      complain(node, node.raw() + " is below the minimum, " + plain_text(schema["minimum"]) + unit);
    }
    if (schema.contains("exclusiveMinimum") && value <= schema["exclusiveMinimum"].get<double>()) {
      complain(node, node.raw() + " is not above " + plain_text(schema["exclusiveMinimum"]) + unit);
    }
    if (schema.contains("maximum") && value > schema["maximum"].get<double>()) {
      complain(node, node.raw() + " is above the maximum, " + plain_text(schema["maximum"]) + unit);
    }
  }

  // " rad/s" after a limit, if the value has a unit or only one is possible.
  static std::string unit_of(const YamlNode& node, const Json& schema) {
    if (!schema.contains("x-unit")) return "";
    const Expected expected(schema["x-unit"].get<std::string>());
    const Quantity found = any_quantity(node);
    for (const std::string& unit : expected.units()) {
      const bool is_it =
          expected.units().size() == 1 || (found.has_unit && dimension_of(unit) == found.dimension);
      if (is_it) return unit == "1" ? "" : " " + unit;
    }
    return "";
  }

  void word(const YamlNode& node, const Json& schema) {
    std::vector<std::string> words;
    if (schema.contains("enum")) {
      for (const Json& value : schema["enum"]) words.push_back(plain_text(value));
    } else if (schema.contains("const")) {
      words.push_back(plain_text(schema["const"]));
    } else {
      return;
    }
    const std::string text = node.is_number() ? yaml_number(node.number()) : node.raw();
    if (std::find(words.begin(), words.end(), text) != words.end()) return;
    if (words.size() == 1) {
      complain(node, describe(node) + " is not " + words.front());
    } else if (const auto old = schema.find("x-renamed");
               old != schema.end() && old->contains(text)) {
      complain(node, describe(node) + " is now called " + plain_text((*old)[text]));
    } else {
      complain(node,
               describe(node) + " is not one of " + joined(words) + did_you_mean(text, words));
    }
  }

  void mapping(const YamlNode& node, const Json& schema) {
    bool has_unknown = false;
    const bool is_sum = schema.contains("allOf");  // its parts define the keys
    const bool is_closed = is_sum || schema.contains("additionalProperties");
    for (const YamlNode::Entry& entry : node.entries()) {
      const Json* child = schema_.schema_of_key(schema, entry.key);
      has_unknown = has_unknown || (child == nullptr && is_closed);
      if (is_sum) continue;
      if (child != nullptr) {
        inside(entry.key, entry.value, *child);
      } else if (is_closed) {
        problems_.add(entry.spot, "unknown key \"" + entry.key + "\"" + in_label() +
                                      did_you_mean(entry.key, schema_.keys(schema)));
      }
    }
    if (!has_unknown) {  // the unknown key may be the missing one, misspelt
      missing(node, schema);
      one_of(node, schema);
    }
  }

  void missing(const YamlNode& node, const Json& schema) {
    if (!schema.contains("required")) return;
    for (const Json& name : schema["required"]) {
      const auto key = name.get<std::string>();
      if (node.find(key) != nullptr) continue;
      problems_.add(node.spot(), "key \"" + key + "\" is missing" + in_label());
    }
  }

  void one_of(const YamlNode& node, const Json& schema) {
    if (!schema.contains("x-one-of")) return;
    std::vector<std::string> all;
    std::vector<std::string> there;
    for (const Json& name : schema["x-one-of"]) {
      all.push_back(name.get<std::string>());
      if (node.find(all.back()) != nullptr) there.push_back(all.back());
    }
    if (there.empty()) {
      problems_.add(node.spot(), "one of these keys is missing" + in_label() + ": " + joined(all));
    } else if (there.size() > 1) {
      problems_.add(node.key_spot(there[1]),
                    "only one of \"" + joined(there, "\", \"") + "\" can be given" + in_label());
    }
  }

  void list(const YamlNode& node, const Json& schema) {
    const std::size_t size = node.items().size();
    const std::size_t least = schema.value("minItems", std::size_t{0});
    const std::size_t most = schema.value("maxItems", size);
    if (size < least || size > most) {
      const std::string bound = least == most ? "" : size < least ? "at least " : "at most ";
      complain(node, fmt::format("expected {}{} values, got {}", bound, size < least ? least : most,
                                 size));
    }
    if (schema.value("uniqueItems", false)) twice(node);
    if (!schema.contains("items")) return;
    const std::string label = label_;
    for (std::size_t i = 0; i < size; ++i) {
      inside(fmt::format("{}[{}]", label, i), node.items()[i], schema["items"]);
    }
  }

  void twice(const YamlNode& node) {
    std::set<std::string> met;
    for (const YamlNode& item : node.items()) {
      if (item.is_string() && !met.insert(item.raw()).second) {
        complain(item, describe(item) + " is given twice");
      }
    }
  }

  const Schema::Data& schema_;
  Problems& problems_;
  std::string label_;  // last step of the path to the present node
};

}  // namespace

void explain(const Schema::Data& schema, const YamlNode& document, Problems& problems) {
  Explainer(schema, problems).visit(document, schema.root);
}

}  // namespace jointrig::harness
