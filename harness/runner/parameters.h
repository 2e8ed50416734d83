#pragma once
/// `${name}` in a scenario file: what it stands for, and putting it in.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// Names and what they stand for. Remembers which of them were used; copies remember together.
class Parameters {
 public:
  /// Defines a name, or gives it another value.
  void set(const std::string& name, const YamlNode& value) { values_[name] = value; }

  /// The node with every `${name}` replaced. Where it stands alone the value keeps its type, within
  /// other text its words are put in. Throws FileError for a name that isn't defined.
  [[nodiscard]] YamlNode put_into(const YamlNode& node) const;

  [[nodiscard]] bool was_used(const std::string& name) const { return used_->contains(name); }

 private:
  [[nodiscard]] YamlNode put_into_text(const YamlNode& node) const;
  [[nodiscard]] const YamlNode& value_of(const std::string& name, const YamlNode& where) const;

  std::map<std::string, YamlNode> values_;
  std::shared_ptr<std::set<std::string>> used_ = std::make_shared<std::set<std::string>>();
};

/// Throws FileError for a parameter that a mapping declares and nothing used.
void check_used(const YamlNode* declared, const Parameters& parameters);

/// The document as its schema sees it: parameters put in, the body of a repeat as in its first
/// round.
YamlNode first_round(const YamlNode& document, const Parameters& parameters);

/// One test of a matrix: parameters and their values, in the order of the file.
using Variation = std::vector<std::pair<std::string, YamlNode>>;

/// Every combination of a matrix; one empty variation where there is none.
std::vector<Variation> variations_of(const YamlNode* matrix);

/// `[payload=1kg,speed=fast]`, or "" of an empty variation. Spaces are left out, so that the name
/// can stand in a command line.
std::string suffix_of(const Variation& variation);

/// The same, short enough for a line of a terminal and a file's name. A long value keeps its
/// beginning and gets a number made of all of it, `[stream={velocity:{elb~3f9a1c]`, as do the
/// parameters that don't fit: the same variation has the same name whatever else the matrix holds.
std::string short_suffix_of(const Variation& variation);

/// A value in the words of the file: `1 kg`, or `[1, 2]`.
std::string words_of(const YamlNode& node);

}  // namespace jointrig::harness
