#include "harness/runner/step_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "harness/runner/scenario_schema.h"

namespace jointrig::harness {
namespace {

// Files being read, outermost first.
using Trail = std::vector<std::filesystem::path>;

class Writer {
 public:
  std::vector<PlainStep> steps;

  void write(const YamlNode& list, const Parameters& parameters, const std::string& suffix) {
    for (const YamlNode& step : list.items()) {
      if (const YamlNode* repeat = step.find("repeat")) {
        write_repeat(*repeat, parameters, suffix);
      } else if (const YamlNode* include = step.find("include")) {
        write_include(parameters.put_into(*include), suffix);
      } else {
        steps.push_back({parameters.put_into(step), suffix});
      }
      if (steps.size() > kMostSteps) {
        throw step.error(fmt::format("more than {} steps", kMostSteps));
      }
    }
  }

 private:
  void write_repeat(const YamlNode& repeat, const Parameters& parameters,
                    const std::string& suffix) {
    const auto times = parameters.put_into(repeat.at("times")).integer();
    for (std::int64_t round = 1; round <= times; ++round) {
      const std::string number = std::to_string(round);
      Parameters inner = parameters;
      inner.set("i", YamlNode(YamlNode::Kind::kNumber, number, repeat.spot()));
      write(repeat.at("do"), inner, suffix + "[" + number + "]");
    }
  }

  void write_include(const YamlNode& include, const std::string& suffix) {
    const YamlNode& file = include.is_mapping() ? include.at("file") : include;
    const std::filesystem::path path = std::filesystem::weakly_canonical(path_beside(file));
    if (std::find(trail_.begin(), trail_.end(), path) != trail_.end()) {
      throw file.error("\"" + file.text() + "\" includes itself, directly or through others");
    }
    const YamlNode document = load_included(file);
    Parameters own;
    if (const YamlNode* defaults = document.find("parameters")) {
      for (const auto& entry : defaults->entries()) own.set(entry.key, entry.value);
    }
    give(include, document, own);
    included_file_schema().check(first_round(document, own));
    trail_.push_back(path);
    write(document.at("steps"), own, suffix);
    trail_.pop_back();
    check_used(document.find("parameters"), own);
  }

  static YamlNode load_included(const YamlNode& file) {
    try {
      return load_yaml(path_beside(file));
    } catch (const FileError& error) {
      if (error.line() > 0) throw;
      throw file.error("can't include: " + error.sentence());
    }
  }

  static void give(const YamlNode& include, const YamlNode& document, Parameters& own) {
    const YamlNode* with = include.find("with");
    if (with == nullptr) return;
    const YamlNode* declared = document.find("parameters");
    for (const YamlNode::Entry& entry : with->entries()) {
      if (declared == nullptr || declared->find(entry.key) == nullptr) {
        throw FileError(entry.spot, "the included file has no parameter \"" + entry.key + "\"");
      }
      own.set(entry.key, entry.value);
    }
  }

  Trail trail_;
};

}  // namespace

std::vector<PlainStep> plain_steps(const YamlNode& steps, const Parameters& parameters) {
  Writer writer;
  writer.write(steps, parameters, "");
  return std::move(writer.steps);
}

}  // namespace jointrig::harness
