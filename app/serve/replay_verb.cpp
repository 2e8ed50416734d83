#include "app/serve/replay_verb.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <thread>

#include "app/from_to.h"
#include "app/guarded.h"
#include "app/interrupt.h"
#include "app/serve/server_library.h"
#include "app/version.h"
#include "remote/playback.h"

namespace jointrig::app {
namespace {

constexpr std::chrono::milliseconds kFailureLookEach{50};

struct ReplayOptions {
  std::string log;
  double speed = 1.0;
  bool is_paused = false;
  remote::ViewerOptions viewers;
};

int replay(const ReplayOptions& options) {
  end_on_interrupt();
  const auto server = load_replay_server({.path = options.log,
                                          .version = std::string(kVersion),
                                          .speed = static_cast<float>(options.speed),
                                          .is_paused = options.is_paused},
                                         options.viewers);
  if (!server->left_out().empty()) {
    std::fputs(fmt::format("not replayed, since they aren't CDR with a definition in ros2msg: {}\n",
                           fmt::join(server->left_out(), ", "))
                   .c_str(),
               stdout);
  }
  const std::string& listen = options.viewers.listen;
  constexpr double kSeconds = 1e-9;
  std::fputs(fmt::format("{}, {:.3f} to {:.3f} s: open {}{}{} in Foxglove, Lichtblick or "
                         "PlotJuggler   (Ctrl+C ends)\n",
                         options.log, kSeconds * static_cast<double>(server->start_ns()),
                         kSeconds * static_cast<double>(server->end_ns()),
                         options.viewers.tls_cert.empty() ? "ws://" : "wss://",
                         listen.substr(0, listen.rfind(':') + 1), server->port())
                 .c_str(),
             stdout);
  std::fflush(stdout);  // a script that started it in the background waits for this
  while (!interrupted.load()) {
    std::this_thread::sleep_for(kFailureLookEach);
    const std::string failure = server->failure();
    if (!failure.empty()) throw std::runtime_error(failure);
  }
  return 0;
}

}  // namespace

void add_replay(CLI::App& program, int& code) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* verb = program.add_subcommand(
      "replay", "Play a log to Foxglove, Lichtblick or PlotJuggler: pause, speed, any time");
  verb->add_option("log", options->log, "An MCAP log")->required();
  remote::ViewerOptions& viewers = options->viewers;
  verb->add_option("--viewers", viewers.listen, "Address as HOST:PORT; port 0: a free one")
      ->capture_default_str();
  verb->add_option("--speed", options->speed, "Factor on the speed to begin with")
      ->check(from_to(remote::kLeastPlaybackSpeed, remote::kMostPlaybackSpeed))
      ->capture_default_str();
  verb->add_flag("--paused", options->is_paused, "Wait at the start until a viewer plays it");
  verb->add_option("--tls-cert", viewers.tls_cert, "Certificate of the server, PEM");
  verb->add_option("--tls-key", viewers.tls_key, "Key of the server, PEM");
  verb->add_option("--token-file", viewers.token_file,
                   "File whose first line viewers have to show");
  verb->add_option("--viewer-origin", viewers.origins,
                   "A further web page that may connect: https://viewer.example")
      ->option_text("URL")
      ->allow_extra_args(false);
  verb->footer(
      "All viewers see the same time. Foxglove's bar plays, pauses, goes to any time and sets the\n"
      "speed, 0.01 to 10. Time begins when the first viewer subscribes to a topic or plays, and\n"
      "stands while none is connected. At the end it stays there.\n"
      "Exit code: 0, or 2 where the log can't be read or the address can't be had.\n\n"
      "  jointrig replay results/my_scenario/log.mcap\n"
      "  jointrig replay run.mcap --paused --viewers 127.0.0.1:9000\n"
      "  jointrig replay run.mcap --speed 0.1");
  verb->callback([=, &code] { code = guarded("replay", [&] { return replay(*options); }); });
}

}  // namespace jointrig::app
