#include "app/lists/lists_commands.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "app/guarded.h"
#include "app/lists/completion.h"
#include "app/lists/list_verb.h"
#include "app/lists/new_verb.h"

namespace jointrig::app {
namespace {

void add_list(CLI::App& program, int& code) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* list = program.add_subcommand(
      "list", "Name the robots, scenes, scenarios and tags that can be used here");
  list->add_option("what", options->what,
                   "robots, scenes, scenarios or tags, and patterns with * and ?; default: all");
  list->add_flag("--names", options->names, "Names alone, one a line");
  list->footer(
      "They lie in folders models, scenes and scenarios here or above, else in the program's own.\n"
      "Exit code: 0, or 1 where nothing fits.\n\n"
      "  jointrig list robots\n"
      "  jointrig list scenarios '*payload*'      # by name or tag, with what each is about\n"
      "  jointrig run 'zero_g*'                   # run takes the same patterns");
  list->callback([=, &code] { code = guarded("list", [&] { return list_verb(*options); }); });
}

void add_new(CLI::App& program, int& code) {
  auto options = std::make_shared<NewScenarioOptions>();
  CLI::App* make = program.add_subcommand("new", "Write a file to start from");
  make->require_subcommand(1);
  CLI::App* scenario =
      make->add_subcommand("scenario", "Write NAME.yaml, a scenario that passes as it is");
  scenario->add_option("name", options->name, "Name of the scenario")->required();
  scenario->add_option("--robot", options->robot, "Robot: name, yaml, MJCF or URDF")
      ->capture_default_str();
  scenario->add_flag("--motors", options->motors,
                     "Give a motor to each joint that no actuator drives, as in every URDF");
  scenario->footer(
      "One joint of the robot moves and comes back; comments say what can be changed.\n\n"
      "  jointrig new scenario first --robot franka\n"
      "  jointrig run first.yaml");
  scenario->callback(
      [=, &code] { code = guarded("new scenario", [&] { return new_scenario_verb(*options); }); });
}

void add_completion(CLI::App& program, int& code) {
  CLI::App* completion =
      program.add_subcommand("completion", "Print what makes a shell complete jointrig's words");
  completion->require_subcommand(1);
  completion->footer(
      "In ~/.bashrc:\n\n"
      "  source <(jointrig completion bash)\n\n"
      "In ~/.zshrc, before the same line:\n\n"
      "  autoload -U +X bashcompinit && bashcompinit");
  CLI::App* bash =
      completion->add_subcommand("bash", "The script for bash, and zsh's bashcompinit");
  bash->callback([&code] {
    std::fputs(completion_script().c_str(), stdout);
    code = 0;
  });
  CLI::App* ask = completion->add_subcommand("words", "Words that complete a line, for the script");
  ask->group("");  // not shown
  ask->prefix_command();
  ask->callback([&program, &code, ask] {
    std::vector<std::string> typed = ask->remaining();
    if (!typed.empty()) typed.erase(typed.begin());  // the program's name
    for (const std::string& word : completions(program, typed)) std::printf("%s\n", word.c_str());
    code = 0;
  });
}

}  // namespace

void add_lists(CLI::App& program, int& code) {
  add_list(program, code);
  add_new(program, code);
  add_completion(program, code);
}

}  // namespace jointrig::app
