#include "app/serve/serving_options.h"

#include <CLI/CLI.hpp>
#include <stdexcept>

#include "app/serve/serving_arguments.h"

namespace jointrig::app {

void add_serving_options(CLI::App& verb, ServingOptions& options) {
  remote::ServerOptions& server = options.server;
  verb.add_option("--tls-cert", server.tls_cert, "Certificate of the server, PEM");
  verb.add_option("--tls-key", server.tls_key, "Key of the server, PEM");
  verb.add_option("--token-file", server.token_file,
                  "File whose first line clients have to show; with --connect: whose first line "
                  "this one shows");
  verb.add_option(
          "--viewers", options.viewers,
          "Live data for Foxglove, Lichtblick and PlotJuggler, at HOST:PORT (127.0.0.1:8765 "
          "where none is given)")
      ->expected(0, 1)
      ->default_str("127.0.0.1:8765");
  verb.add_option("--viewer-origin", options.viewer_origins,
                  "A further web page that may connect as a viewer: https://viewer.example")
      ->option_text("URL")
      ->allow_extra_args(false);
  verb.add_option("--ros2", options.ros2,
                  "Joint states to ROS 2 and commands from it, on this machine: KEY=VALUE,... of "
                  "domain, rate, namespace, unprotected=ADDRESS and topics")
      ->expected(0, 1)
      ->default_str("");
  verb.add_option("--files", server.files,
                  "Folder whose files clients may list and fetch; links in it are not followed")
      ->check(CLI::ExistingDirectory);
  verb.add_option("--clients", server.clients, "Clients at once")
      ->check(CLI::Range(1, 32))
      ->capture_default_str();
}

void add_serve_option(CLI::App& verb, std::optional<std::string>& serve) {
  verb.add_option("--serve", serve,
                  "Let programs connect, as to `jointrig serve`, at HOST:PORT (127.0.0.1:4600 "
                  "where none is given; port 0: a free one)")
      ->expected(0, 1)
      ->default_str("127.0.0.1:4600");
}

std::optional<ServingOptions> serving_wanted(const std::optional<std::string>& serve,
                                             const ServingOptions& asked) {
  if (serve || asked.viewers || asked.ros2) {
    ServingOptions serving = asked;
    serving.server.listen = serve.value_or("");
    serving.server.option = "--serve";
    return serving;
  }
  const bool has_more = !asked.server.tls_cert.empty() || !asked.server.tls_key.empty() ||
                        !asked.server.token_file.empty() || !asked.viewer_origins.empty();
  if (!has_more) return std::nullopt;
  throw std::invalid_argument(
      "--tls-cert, --tls-key, --token-file and --viewer-origin tell who may connect, and nobody "
      "may: give --serve or --viewers, too");
}

}  // namespace jointrig::app
