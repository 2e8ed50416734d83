#pragma once
/// Arguments that several verbs have.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/same_robot.h"
#include "app/serve/client_options.h"
#include "app/serve/server_library.h"

namespace jointrig::app {

/// `--backend` with its words. The old word of `boards` is accepted, with a sentence on stderr.
CLI::Option* add_backend(CLI::App& verb, std::string& word, const std::string& about,
                         const std::vector<std::string>& words);

/// `--set PATH=VALUE`.
/// @param about  the keys that it sets
void add_settings(CLI::App& verb, const std::string& about, std::vector<std::string>& settings);

void add_seed(CLI::App& verb, std::optional<std::uint64_t>& seed);

void add_logs(CLI::App& verb, const std::string& of, std::string& logs);

void add_motors(CLI::App& verb, bool& motors, std::vector<std::string>& package_path);

/// Settings that a model needs to be opened, for a robot without a robot.yaml.
template <typename Options>
void add_model_options(CLI::App& verb, Options& options) {
  verb.add_flag("--pin-base", options.pin_base, "Bolt a floating base where it starts");
  add_motors(verb, options.motors, options.package_path);
}

/// A robot that another program serves, in place of one here.
CLI::Option* add_connect_options(CLI::App& verb, RemoteRobot& remote, const std::string& about);

void add_token_option(CLI::App& verb, RemoteRobot& remote, CLI::Option& connect);

void add_take_over(CLI::App& verb, CLI::Option& connect, bool& take_over);

/// Options that make or serve a robot here don't go with --connect.
void exclude_of_here(CLI::App& verb, CLI::Option& connect, const std::vector<const char*>& further);

/// Has each scenario, or the verb, connect by itself, under its own name. A verb that moves or
/// judges the robot needs the server's version; one that only tells of it doesn't.
template <typename Options>
void connect_to(Options& options, const RemoteRobot& remote, bool only_looks = false) {
  options.connect = [remote, only_looks](const std::string& name) {
    std::unique_ptr<remote::Connection> made = load_connection(client_options(remote, name));
    if (!only_looks) refuse_other_version(made->facts(), remote.address);
    return made;
  };
}

}  // namespace jointrig::app
