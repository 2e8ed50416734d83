#include <algorithm>
#include <vector>

#include "control/core/text.h"
#include "harness/config/schema_data.h"

namespace jointrig::harness {
namespace {

std::string code(const std::string& text) { return "`" + text + "`"; }

// Escapes a bar, which would end the cell.
std::string cell(std::string text) {
  for (std::size_t i = text.find('|'); i != std::string::npos; i = text.find('|', i + 2)) {
    text.insert(i, "\\");
  }
  return text;
}

class TableWriter {
 public:
  explicit TableWriter(const Schema::Data& schema) : schema_(schema) {}

  std::string write() {
    table(schema_.root);
    for (std::size_t i = 0; i < titled_.size(); ++i) {  // grows during the loop
      const Json& definition = *titled_[i];
      text_ += "\n### " + title(definition) + "\n\n";
      if (definition.contains("description")) text_ += words(definition, "description") + "\n\n";
      table(definition);
    }
    return text_;
  }

 private:
  static std::string words(const Json& schema, const char* keyword) {
    return schema.contains(keyword) ? schema[keyword].get<std::string>() : "";
  }
  static std::string title(const Json& schema) { return words(schema, "title"); }

  void table(const Json& schema) {
    text_ += "| key | type | unit | default | meaning |\n| --- | --- | --- | --- | --- |\n";
    rows(schema, "");
  }

  // The rows of a mapping's keys, each followed by those of its inner mapping.
  void rows(const Json& general, const std::string& prefix) {
    const Json& schema = schema_.resolved(general);
    for (const char* combination : {"allOf", "anyOf"}) {
      if (!schema.contains(combination)) continue;
      for (const Json& part : schema[combination]) {
        if (title(schema_.resolved(part)).empty()) rows(part, prefix);
      }
    }
    if (schema.contains("properties")) {
      for (const auto& [key, child] : schema["properties"].items()) {
        row(prefix + key, child, need(schema, key));
      }
    }
    const bool is_free =
        schema.contains("additionalProperties") && schema["additionalProperties"].is_object();
    if (is_free) {
      const std::string key = schema.contains("x-key") ? words(schema, "x-key") : "name";
      row(prefix + "<" + key + ">", schema["additionalProperties"], "",
          words(general, "x-measures"));
    }
  }

  // Text in place of a default: a required key, or one of several.
  [[nodiscard]] static std::string need(const Json& schema, const std::string& key) {
    const auto lists = [&](const char* keyword) {
      return schema.contains(keyword) && std::find(schema[keyword].begin(), schema[keyword].end(),
                                                   key) != schema[keyword].end();
    };
    return lists("required") ? "required" : lists("x-one-of") ? "one of these" : "";
  }

  // Measure of a value that may be an expression; for a mapping, of its values.
  [[nodiscard]] std::string measured(const Json& general, const std::string& inherited) const {
    const Json& schema = schema_.resolved(general);
    const bool is_free =
        schema.contains("additionalProperties") && schema["additionalProperties"].is_object();
    if (is_free) return "";
    std::string own = words(general, "x-measures");
    if (own.empty()) own = unit(schema);
    return own.empty() ? inherited : own;
  }

  void row(const std::string& key, const Json& general, const std::string& need,
           const std::string& measure = "") {
    const Json& schema = schema_.resolved(general);
    std::string otherwise = default_of(general);
    if (otherwise.empty()) otherwise = need;
    text_ += "| " + code(key) + " | " + cell(type(general)) + " | " +
             cell(measured(general, measure)) + " | " + cell(otherwise) + " | " +
             cell(meaning(general)) + " |\n";
    if (!title(schema).empty()) return;
    rows(general, key + ".");
    if (!schema.contains("items")) return;
    const Json& items = schema_.resolved(schema["items"]);
    if (title(items).empty()) rows(items, key + "[].");
  }

  // A reference's own text precedes that of its target; the standard's validators ignore it, so
  // that it is a note only.
  [[nodiscard]] std::string meaning(const Json& general) const {
    const std::string own = words(general, "description");
    return own.empty() ? words(schema_.resolved(general), "description") : own;
  }

  [[nodiscard]] std::string default_of(const Json& general) const {
    for (const Json* schema : {&general, &schema_.resolved(general)}) {
      if (schema->contains("x-default")) return words(*schema, "x-default");
      if (!schema->contains("default")) continue;
      const Json& value = (*schema)["default"];
      if (value.is_string()) return code(value.get<std::string>());
      return code(value.is_number_float() ? yaml_number(value.get<double>()) : value.dump());
    }
    return "";
  }

  // Unit of the value, of the items of a list, or of the first alternative with a unit.
  [[nodiscard]] std::string unit(const Json& general) const {
    const Json& schema = schema_.resolved(general);
    std::string text = words(schema, "x-unit");
    if (schema.contains("items")) return unit(schema["items"]);
    if (schema.contains("anyOf")) {
      for (const Json& one : schema["anyOf"]) {
        if (std::string found = unit(one); !found.empty()) return found;
      }
    }
    if (text == "1") return "";
    for (std::size_t i = text.find('|'); i != std::string::npos; i = text.find('|')) {
      text.replace(i, 1, " or ");
    }
    return text;
  }

  std::string type(const Json& general) {
    const Json& schema = schema_.resolved(general);
    if (!title(schema).empty()) {
      if (std::find(titled_.begin(), titled_.end(), &schema) == titled_.end()) {
        titled_.push_back(&schema);
      }
      return "[" + title(schema) + "](#" + anchor(title(schema)) + ")";
    }
    if (schema.contains("anyOf")) return each(schema["anyOf"]);
    if (schema.contains("enum")) {
      std::string list;
      for (const Json& word : schema["enum"]) {
        list += (list.empty() ? "" : ", ") +
                code(word.is_string() ? word.get<std::string>() : word.dump());
      }
      return list;
    }
    if (schema.contains("const")) return code(schema["const"].dump());
    if (schema.contains("x-unit")) return "number";
    const Json& name = schema.contains("type") ? schema["type"] : Json("any");
    if (name.is_array()) {
      return joined(name, " or ", [](const Json& one) { return one.get<std::string>(); });
    }
    if (name == "object") return "mapping";
    if (name == "array") {
      return schema.contains("items") ? "list of " + type(schema["items"]) : "list";
    }
    return name.get<std::string>();
  }

  std::string each(const Json& alternatives) {
    return joined(alternatives, " or ", [this](const Json& one) { return type(one); });
  }

  // Anchors of headings as GitHub makes them.
  static std::string anchor(std::string heading) {
    for (char& c : heading) {
      if (c == ' ') c = '-';
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    }
    return heading;
  }

  const Schema::Data& schema_;
  std::string text_;
  std::vector<const Json*> titled_;
};

}  // namespace

std::string Schema::tables_markdown() const { return TableWriter(*data_).write(); }

}  // namespace jointrig::harness
