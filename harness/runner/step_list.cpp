#include "harness/runner/step_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

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
      } else if (step.find("parallel") != nullptr) {
        write_parallel(step, parameters, suffix);
      } else if (step.find("state_machine") != nullptr) {
        write_machine(step, parameters, suffix);
      } else {
        steps.push_back({parameters.put_into(step), suffix, {}});
      }
      if (++written_ > kMostSteps) {
        throw step.error(fmt::format("more than {} steps", kMostSteps));
      }
    }
  }

 private:
  /// The steps of a list within a step.
  std::vector<PlainStep> inner(const YamlNode& list, const Parameters& parameters,
                               const std::string& suffix) {
    std::vector<PlainStep> outer = std::exchange(steps, {});
    write(list, parameters, suffix);
    return std::exchange(steps, std::move(outer));
  }

  void write_parallel(const YamlNode& step, const Parameters& parameters,
                      const std::string& suffix) {
    PlainStep plain{with(step, "parallel", YamlNode()), suffix, {}};
    plain.node = parameters.put_into(plain.node);
    for (const YamlNode& list : step.at("parallel").items()) {
      plain.lists.push_back(inner(list, parameters, suffix));
    }
    steps.push_back(std::move(plain));
  }

  void write_machine(const YamlNode& step, const Parameters& parameters,
                     const std::string& suffix) {
    const YamlNode& machine = step.at("state_machine");
    std::vector<YamlNode::Entry> states;
    PlainStep plain{{}, suffix, {}};
    for (const YamlNode::Entry& state : machine.at("states").entries()) {
      const YamlNode* list = state.value.find("do");
      plain.lists.push_back(list != nullptr ? inner(*list, parameters, suffix)
                                            : std::vector<PlainStep>{});
      states.push_back({state.key, state.spot, with(state.value, "do", YamlNode())});
    }
    const YamlNode bare(std::move(states), machine.at("states").spot());
    plain.node = parameters.put_into(with(step, "state_machine", with(machine, "states", bare)));
    steps.push_back(std::move(plain));
  }

  /// The mapping with another value of that key.
  static YamlNode with(const YamlNode& mapping, std::string_view key, const YamlNode& value) {
    std::vector<YamlNode::Entry> entries = mapping.entries();
    for (YamlNode::Entry& entry : entries) {
      if (entry.key == key) entry.value = value;
    }
    return {std::move(entries), mapping.spot()};
  }

  void write_repeat(const YamlNode& repeat, const Parameters& parameters,
                    const std::string& suffix) {
    const auto times = parameters.put_into(repeat.at("times")).integer();
    for (std::int64_t round = 1; round <= times; ++round) {
      const std::string number = fmt::format("{}", round);
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
  std::size_t written_ = 0;
};

}  // namespace

std::vector<PlainStep> plain_steps(const YamlNode& steps, const Parameters& parameters) {
  Writer writer;
  writer.write(steps, parameters, "");
  return std::move(writer.steps);
}

}  // namespace jointrig::harness
