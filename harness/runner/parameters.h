#pragma once
/// `${name}` in a scenario file: values and replacement.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// Names with their values. Records which names were used; copies share the record.
class Parameters {
 public:
  /// Defines a name, or gives it another value.
  void set(const std::string& name, const YamlNode& value) { values_[name] = value; }

  /// Returns the node with every `${name}` replaced. A name alone keeps the type of its value;
  /// within other text it becomes text. Throws FileError for an undefined name.
  [[nodiscard]] YamlNode put_into(const YamlNode& node) const;

  [[nodiscard]] bool was_used(const std::string& name) const { return used_->contains(name); }

 private:
  [[nodiscard]] YamlNode put_into_text(const YamlNode& node) const;
  [[nodiscard]] const YamlNode& value_of(const std::string& name, const YamlNode& where) const;

  std::map<std::string, YamlNode> values_;
  std::shared_ptr<std::set<std::string>> used_ = std::make_shared<std::set<std::string>>();
};

/// Throws FileError for a declared parameter that is not used.
void check_used(const YamlNode* declared, const Parameters& parameters);

/// The document for its schema: parameters replaced, the body of a repeat as in its first round.
YamlNode first_round(const YamlNode& document, const Parameters& parameters);

/// One test of a matrix: parameters and their values, in the order of the file.
using Variation = std::vector<std::pair<std::string, YamlNode>>;

/// Every combination of a matrix; one empty variation without a matrix.
std::vector<Variation> variations_of(const YamlNode* matrix);

/// `[payload=1kg,speed=fast]`, or "" for an empty variation. Without spaces, so that the name can
/// be used in a command line.
std::string suffix_of(const Variation& variation);

/// A suffix short enough for a line of a terminal and a file's name. A long value keeps its
/// beginning and gets a hash of the whole value, `[stream={velocity:{elb~3f9a1c]`; so do the
/// parameters that don't fit. The same variation has the same name in any matrix.
std::string short_suffix_of(const Variation& variation);

/// A value as written in the file: `1 kg`, or `[1, 2]`.
std::string words_of(const YamlNode& node);

}  // namespace jointrig::harness
