#include "app/arguments/argument_errors.h"

#include <algorithm>
#include <string>
#include <vector>

#include "control/core/nearest_word.h"

namespace jointrig::app {
namespace {

/// "there is no option "--output" (did you mean "--out"?)"
std::string no_such(const std::string& word, const std::vector<std::string>& known) {
  const bool is_option = word.starts_with("--");
  // The dashes that all options share make none of them nearer.
  std::string near = is_option ? nearest_word(word.substr(2), known) : nearest_word(word, known);
  if (near.empty() && is_option) {
    const auto begins = [&](const std::string& name) { return begins_alike(word, "--" + name); };
    const auto found = std::find_if(known.begin(), known.end(), begins);
    if (found != known.end()) near = *found;
  }
  if (is_option && !near.empty()) near.insert(0, "--");
  return "there is no " + std::string(word.starts_with('-') ? "option" : "verb") + " \"" + word +
         "\"" + (near.empty() ? "" : " (did you mean \"" + near + "\"?)");
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

}  // namespace

std::string refusal(const CLI::App* program, const CLI::Error& error) {
  const CLI::App* at = program;  // the last verb that was recognised
  std::string path = "jointrig";
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    path += " " + at->get_name();
  }
  const auto every = [](const CLI::App*) { return true; };
  std::vector<std::string> known;
  for (const CLI::App* verb : at->get_subcommands(every)) known.push_back(verb->get_name());
  const std::vector<std::string> words = at->remaining();
  if (known.empty()) {
    const bool is_option = !words.empty() && words.front().starts_with('-') &&
                           error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
    return path + ": " + (is_option ? no_such(words.front(), option_names(*at)) : error.what()) +
           "; `" + path + " --help` tells what it takes\n";
  }
  if (words.empty()) return at->help();
  return path + ": " + no_such(words.front(), known) + "; `" + path + " --help` lists them\n";
}

}  // namespace jointrig::app
