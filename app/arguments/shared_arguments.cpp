#include "app/arguments/shared_arguments.h"

#include <cstdio>

namespace jointrig::app {

CLI::Option* add_backend(CLI::App& verb, std::string& word, const std::string& about,
                         const std::vector<std::string>& words) {
  const CLI::Validator renamed(
      [](std::string& given) {
        if (given == "bench") {
          std::fputs("jointrig: backend bench is now called boards\n", stderr);
          given = "boards";
        }
        return std::string{};
      },
      "");
  return verb.add_option("--backend", word, about)->check(CLI::IsMember(words))->transform(renamed);
}

void add_motors(CLI::App& verb, bool& motors, std::vector<std::string>& package_path) {
  verb.add_flag("--motors", motors,
                "Give a motor to each joint that no actuator drives; those of a URDF have one");
  verb.add_option("--package-path", package_path,
                  "Folder with the ROS packages of a URDF's meshes; may be given again")
      ->option_text("FOLDER")
      ->allow_extra_args(false);
}

void add_settings(CLI::App& verb, const std::string& about, std::vector<std::string>& settings) {
  verb.add_option("--set", settings, about + "; may be given again")
      ->option_text("PATH=VALUE")
      ->allow_extra_args(false);
}

void add_seed(CLI::App& verb, std::optional<std::uint64_t>& seed) {
  constexpr std::uint64_t kLargest = (1ULL << 53U) - 1;  // as in a file: exact in JSON
  verb.add_option("--seed", seed, "Seed of all noise")
      ->check(CLI::Range(std::uint64_t{0}, kLargest));
}

void add_logs(CLI::App& verb, const std::string& of, std::string& logs) {
  verb.add_option("--logs", logs,
                  "Keep the logs of all " + of +
                      ", or of those that did not pass (a second of an arm takes about 3 MB)")
      ->check(CLI::IsMember({"all", "failed"}))
      ->capture_default_str();
}

CLI::Option* add_connect_options(CLI::App& verb, RemoteRobot& remote, const std::string& about) {
  CLI::Option* connect =
      verb.add_option("--connect", remote.address, about)->option_text("HOST[:PORT]");
  verb.add_option("--tls-ca", remote.tls_ca,
                  "With --connect: certificates by which the server's is checked, PEM")
      ->needs(connect);
  return connect;
}

void add_token_option(CLI::App& verb, RemoteRobot& remote, CLI::Option& connect) {
  verb.add_option("--token-file", remote.token_file,
                  "With --connect: file with the token that its server wants")
      ->needs(&connect);
}

void add_take_over(CLI::App& verb, CLI::Option& connect, bool& take_over) {
  verb.add_flag("--take-over", take_over, "With --connect: take the lease, even from its holder")
      ->needs(&connect);
}

void exclude_of_here(CLI::App& verb, CLI::Option& connect,
                     const std::vector<const char*>& further) {
  for (const char* of_here : {"--pin-base", "--motors", "--serve", "--tls-cert", "--tls-key",
                              "--viewers", "--viewer-origin", "--ros2", "--clients"}) {
    connect.excludes(verb.get_option(of_here));
  }
  for (const char* one : further) connect.excludes(verb.get_option(one));
}

}  // namespace jointrig::app
