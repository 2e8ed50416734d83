#include "app/lists/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "app/lists/list_verb.h"
#include "app/rig/backend_kit.h"
#include "control/core/robot_config.h"

namespace jointrig::app {
namespace {

using Names = std::vector<std::string>;

/// Kinds of names that a verb takes besides files.
struct VerbNames {
  std::string_view verb;
  Names kinds;
};
const std::vector<VerbNames>& verb_names() {
  static const std::vector<VerbNames> kVerbs{
      {"run", {"scenarios", "tags"}}, {"gui", {"robots", "scenarios"}},
      {"inspect", {"robots"}},        {"check", {"robots"}},
      {"board", {"robots"}},          {"wiggle", {"robots"}},
      {"sweep", {"scenarios"}},       {"serve", {"robots"}}};
  return kVerbs;
}

void add_kind(const std::string& kind, Names& names) {
  try {
    for (std::string& name : names_of_kind(kind)) names.push_back(std::move(name));
  } catch (const std::exception&) {
    // Files that can't be read are no reason to answer nothing.
  }
}

/// Values of an option.
Names values_of(const std::string& option) {
  Names names;
  if (option == "--robot") add_kind("robots", names);
  if (option == "--backend") {
    for (const BackendKind kind : kAllBackendKind) names.emplace_back(to_string(kind));
  }
  return names;
}

const CLI::Option* option_called(const CLI::App& verb, const std::string& word) {
  for (const CLI::Option* option : verb.get_options()) {
    if (option->check_name(word)) return option;
  }
  return nullptr;
}

}  // namespace

std::string completion_script() {
  return R"(# Completion of jointrig in bash: source <(jointrig completion bash)
# In zsh: autoload -U +X bashcompinit && bashcompinit, then the same line.
_jointrig() {
  local word="${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r answer; do
    COMPREPLY+=("$answer")
  done < <("${COMP_WORDS[0]}" completion words "${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
  if [ "${word:0:1}" != - ]; then
    while IFS= read -r answer; do
      COMPREPLY+=("$answer")
    done < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _jointrig jointrig
)";
}

Names completions(const CLI::App& program, const Names& words) {
  const CLI::App* verb = &program;
  std::size_t i = 0;
  for (; i + 1 < words.size(); ++i) {  // verbs within verbs: bus sdo
    const CLI::App* next = nullptr;
    for (const CLI::App* one : verb->get_subcommands([](const CLI::App*) { return true; })) {
      if (one->get_name() == words[i]) next = one;
    }
    if (next == nullptr) break;
    verb = next;
  }
  const std::string last = words.empty() ? "" : words.back();
  const std::string before = words.size() > 1 ? words[words.size() - 2] : "";
  Names all;
  const CLI::Option* option = option_called(*verb, before);
  const bool is_value =
      before.starts_with('-') && option != nullptr && option->get_items_expected_max() > 0;
  if (is_value) {
    all = values_of(before);
  } else if (last.starts_with('-')) {
    for (const CLI::Option* one : verb->get_options()) {
      for (const std::string& name : one->get_lnames()) all.push_back("--" + name);
    }
  } else {
    for (const CLI::App* one : verb->get_subcommands([](const CLI::App*) { return true; })) {
      if (!one->get_group().empty()) all.push_back(one->get_name());
    }
    for (const VerbNames& entry : verb_names()) {
      if (entry.verb != verb->get_name()) continue;
      for (const std::string& kind : entry.kinds) add_kind(kind, all);
    }
    if (verb->get_name() == "list") all.insert(all.end(), kListKinds.begin(), kListKinds.end());
    if (verb->get_name() == "keys") all.insert(all.end(), {"robot", "scenario", "sweep"});
  }
  std::erase_if(all, [&](const std::string& name) { return !name.starts_with(last); });
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace jointrig::app
