#include "app/serve/serve_verb.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include "app/file_signals.h"
#include "app/from_to.h"
#include "app/guarded.h"
#include "app/interrupt.h"
#include "app/rig/robot_loading.h"
#include "app/serve/served_loop.h"
#include "app/serve/serving_arguments.h"

namespace jointrig::app {
namespace {

constexpr std::chrono::milliseconds kLookEach{20};

struct ServeOptions {
  std::string robot;
  std::optional<BackendKind> backend;  ///< none: the robot's
  std::string scene;
  std::vector<std::string> settings;
  std::optional<double> speed_override;
  std::string log;
  ServingOptions serving;
};

harness::RobotSource source_of(const ServeOptions& options) {
  harness::RobotSource source = harness::find_robot(options.robot);
  std::vector<std::string> settings = options.settings;
  if (!options.scene.empty()) settings.push_back("scene=" + options.scene);
  for (const std::string& setting : settings) {
    source.overrides.push_back(
        harness::robot_override_schema().set_path(harness::YamlNode{}, setting));
  }
  return source;
}

void tell_where(const RobotConfig& robot, ServedLoop& loop) {
  const Serving& serving = loop.serving();
  const char* const at = serving.address().c_str();
  std::printf(
      "%s on backend %s, served at %s; connect with jointrig.connect(\"%s\") in Python   (Ctrl+C "
      "ends)\n",
      robot.name.c_str(), loop.rig().backend().description().name.c_str(), at, at);
  if (serving.viewers() != nullptr) {
    std::printf("viewers: open %s in Foxglove, Lichtblick or PlotJuggler\n",
                serving.viewer_address().c_str());
  }
  if (!serving.ros2().empty()) std::printf("%s\n", serving.ros2().c_str());
  std::fflush(stdout);  // a script that started it in the background waits for this
}

int serve(ServeOptions options) {
  survive_file_signals();
  const harness::RobotSource source = source_of(options);
  const RobotConfig robot = load_robot(source).config;
  if (runs_on(BackendKind::kBoards, robot, options.backend)) {
    throw std::invalid_argument("backend " + std::string(to_string(BackendKind::kBoards)) +
                                " keeps no clock, and clients live by the clock: choose another");
  }
  ServedLoop loop(robot, options.backend, options.speed_override);
  options.serving.server.tell = [](const std::string& sentence) {
    std::printf("%s\n", sentence.c_str());
    std::fflush(stdout);
  };
  options.serving.saved = std::make_shared<SavedParameters>(source, loop.rig().stack().config());
  if (options.serving.server.files.empty()) options.serving.server.files = options.log;
  // First what can be wrong in the options, so that no motor goes on for nothing.
  end_on_interrupt();
  loop.serve(options.serving);
  if (!options.log.empty()) loop.start_log(options.log);
  RealtimeOptions realtime;
  realtime.lock_untouched = false;  // or each thread of the server would lock its whole stack
  loop.start(realtime);
  tell_where(robot, loop);
  bool told = false;
  while (!interrupted.load() && !loop.why_ended()) {
    std::this_thread::sleep_for(kLookEach);
    if (told || loop.log_failure().empty()) continue;
    std::fprintf(stderr, "jointrig serve: the log ended, the robot goes on: %s\n",
                 loop.log_failure().c_str());
    told = true;
  }
  const std::optional<std::string> why = loop.why_ended();
  loop.stop();
  if (why) throw std::runtime_error(*why);
  return 0;
}

}  // namespace

void add_serve(CLI::App& program, int& code) {
  auto options = std::make_shared<ServeOptions>();
  auto backend = std::make_shared<std::string>();
  CLI::App* verb =
      program.add_subcommand("serve", "Run a robot in real time for clients, over gRPC");
  verb->add_option("robot", options->robot, "Robot: name, yaml, MJCF or URDF")->required();
  verb->add_option("--backend", *backend,
                   "Backend of the robot (default: as its robot.yaml says, else sim)")
      ->check(CLI::IsMember(backend_words(/*that_keep_a_clock=*/true)));
  verb->add_option("--scene", options->scene, "Scene around the robot: name or file");
  verb->add_option("--set", options->settings, "Set a key of robot.yaml; may be given again")
      ->option_text("PATH=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--speed-override", options->speed_override,
                   "Factor on all speeds to start with (default: on real drives robot.yaml's "
                   "speed_override, else 1)")
      ->check(from_to(kLeastSpeedOverride, 1.0));
  verb->add_option(
      "--log", options->log,
      "Log every cycle, command and event to this file; clients may fetch it, where no "
      "--files are given");
  verb->add_option("--listen", options->serving.server.listen,
                   "Address as HOST:PORT; port 0: a free one")
      ->capture_default_str();
  add_serving_options(*verb, options->serving);
  verb->footer(
      "Any number of clients read state and events and may stop the robot; one at a time holds\n"
      "the lease and sends commands. The robot stops when a lease ends: released, taken over, its\n"
      "holder gone, or silent for 0.2 s.\n"
      "Other machines get in with TLS and a token alone.\n"
      "Exit code: 0, or 2 where it could not run.\n\n"
      "  jointrig serve franka\n"
      "  jointrig serve franka --scene table --listen 127.0.0.1:0 --log served.mcap\n"
      "  jointrig serve franka --viewers\n"
      "  jointrig serve franka --ros2 domain=5,namespace=/left\n"
      "  jointrig serve franka --listen 0.0.0.0:4600 --tls-cert robot.pem --tls-key robot.key "
      "--token-file token");
  verb->callback([=, &code] {
    BackendKind kind{};
    if (parse(*backend, kind)) options->backend = kind;
    code = guarded("serve", [&] { return serve(*options); });
  });
}

}  // namespace jointrig::app
