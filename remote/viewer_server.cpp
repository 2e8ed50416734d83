#include "remote/viewer_server.h"

#include <fmt/core.h>

#include <algorithm>
#include <boost/asio/ssl.hpp>
#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

#include "remote/address.h"
#include "remote/log_player.h"
#include "remote/replay_server.h"
#include "remote/viewer_connection.h"
#include "remote/viewer_feed.h"
#include "remote/viewer_hub.h"
#include "remote/viewer_protocol.h"

namespace jointrig::remote {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::milliseconds;

// Choices.
constexpr std::size_t kFurtherConnections = 16;  ///< that are no viewers yet
constexpr milliseconds kBeat{25};                ///< the lease waits for 0.2 s
constexpr int kBeatsPerTick = 4;

/// Of a robot, or of a log.
class BeastServer {
 public:
  /// @param feed  its wake() is this object's
  /// @param server  of programs, with the lease; null: of a log
  BeastServer(const ServedRobot* robot, Server* server, LogPlayer* player, ViewerFeed& feed,
              const ViewerOptions& options)
      : options_(options) {
    hub_.robot = robot;
    if (robot != nullptr) {
      hub_.parameters = std::make_unique<ViewerParameters>(*robot->config);
      hub_.commander = std::make_unique<ViewerCommander>(*robot, *server);
    }
    hub_.player = player;
    hub_.options = &options_;
    if (!options.token_file.empty()) hub_.token = token_of_file(options.token_file);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    hub_.session = fmt::format("{}", std::chrono::duration_cast<milliseconds>(now).count());
    hub_.feed = &feed;
    hub_.is_watched = &is_watched_;
    if (!options.tls_cert.empty()) load_keys();
    hub_.look();  // snapshots are published from now on
    listen();
  }
  ~BeastServer() {
    if (!thread_.joinable()) return;
    asio::post(io_, [this] {
      hub_.for_each([](ViewerLink& one) { one.end(); });
      io_.stop();
    });
    thread_.join();
  }
  BeastServer(const BeastServer&) = delete;
  BeastServer& operator=(const BeastServer&) = delete;

  [[nodiscard]] const std::string& session() const { return hub_.session; }
  /// @param info  first message to each viewer
  void start(std::string info) {
    hub_.info = std::move(info);
    accept();
    beat();
    thread_ = std::thread([this] { run(); });
  }
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::size_t viewers() const { return hub_.viewers.load(); }
  [[nodiscard]] const std::atomic<bool>& is_watched() const { return is_watched_; }

  /// Messages are waiting; by the thread of the channels.
  void wake() {
    if (is_woken_.exchange(true)) return;
    asio::post(io_, [this] {
      is_woken_.store(false);
      hub_.for_each([](ViewerLink& one) { one.pump(); });
    });
  }

 private:
  void load_keys() {
    tls_.emplace(asio::ssl::context::tls_server);
    try {
      tls_->set_options(asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
      tls_->use_certificate_chain(asio::buffer(text_of_file(options_.tls_cert, "certificate")));
      tls_->use_private_key(asio::buffer(text_of_file(options_.tls_key, "TLS key")),
                            asio::ssl::context::pem);
    } catch (const boost::system::system_error& error) {
      throw std::invalid_argument(
          fmt::format("viewers: {} and {} are no certificate and key that belong together: {}",
                      options_.tls_cert, options_.tls_key, error.what()));
    }
  }

  void listen() {
    const std::size_t colon = options_.listen.rfind(':');
    std::string host = options_.listen.substr(0, colon);
    if (host == "[::1]") host = "::1";
    try {
      const auto found = tcp::resolver(io_).resolve(host, options_.listen.substr(colon + 1),
                                                    tcp::resolver::passive);
      const tcp::endpoint place = found.begin()->endpoint();
      acceptor_.open(place.protocol());
      acceptor_.set_option(tcp::acceptor::reuse_address(true));
      acceptor_.bind(place);
      acceptor_.listen();
    } catch (const boost::system::system_error& error) {
      throw std::runtime_error(
          fmt::format("viewers: can't listen on {}: {}", options_.listen, error.code().message()));
    }
    port_ = acceptor_.local_endpoint().port();
  }

  void run() {
    for (;;) {
      try {
        io_.run();
        return;
      } catch (const std::exception&) {
        // Without memory, or gone before it began, a connection is lost; the others go on.
      }
    }
  }

  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (!acceptor_.is_open()) return;
      // Where this process has no more files, each next try would fail at once.
      if (error) return accept_later();
      accept();  // first, whatever becomes of this one
      hub_.connections.remove_if([](const auto& one) { return one.expired(); });
      if (hub_.connections.size() < options_.viewers + kFurtherConnections) {
        open(std::move(socket));
      }
    });
  }
  void accept_later() {
    retry_.expires_after(kBeatsPerTick * kBeat);
    retry_.async_wait([this](error_code) { accept(); });
  }

  void open(tcp::socket socket) {
    socket.set_option(tcp::no_delay(true));
    if (tls_) {
      start(std::make_shared<ViewerConnection<asio::ssl::stream<tcp::socket>>>(
          hub_, std::move(socket), *tls_));
    } else {
      start(std::make_shared<ViewerConnection<tcp::socket>>(hub_, std::move(socket)));
    }
  }
  template <typename Kind>
  void start(const std::shared_ptr<Kind>& connection) {
    hub_.connections.push_back(connection);
    connection->start();
  }

  void beat() {
    timer_.expires_after(kBeat);
    timer_.async_wait([this](error_code) {
      beat();  // first, whatever becomes of this one
      hub_.beat();
      if (++beats_ % kBeatsPerTick != 0) return;
      if (hub_.viewers != 0) hub_.look();
      hub_.for_each([](ViewerLink& one) { one.tick(); });
    });
  }

  ViewerOptions options_;
  std::atomic<bool> is_watched_{false};
  std::atomic<bool> is_woken_{false};
  ViewerHub hub_;
  std::optional<asio::ssl::context> tls_;
  asio::io_context io_{1};  ///< goes first, with the connections in its handlers
  tcp::acceptor acceptor_{io_};
  asio::steady_timer timer_{io_};
  asio::steady_timer retry_{io_};
  int port_ = 0;
  unsigned beats_ = 0;
  std::thread thread_;
};

class RobotViewers final : public ViewerServer {
 public:
  RobotViewers(const ServedRobot& robot, Server& server, const ViewerOptions& options)
      : robot_(robot), server_(&robot_, &server, nullptr, feed_, options) {
    server_.start(server_info(robot_.config->name, robot_.version, server_.session()));
  }
  [[nodiscard]] int port() const override { return server_.port(); }
  [[nodiscard]] std::size_t viewers() const override { return server_.viewers(); }
  [[nodiscard]] harness::LiveAudience& audience() override { return feed_; }
  [[nodiscard]] const std::atomic<bool>& is_watched() const override {
    return server_.is_watched();
  }

 private:
  ServedRobot robot_;
  ViewerFeed feed_{[this] { server_.wake(); }};
  BeastServer server_;
};

class LogViewers final : public ReplayServer {
 public:
  LogViewers(const ReplayedLog& log, const ViewerOptions& options)
      : player_(log.path, log.speed, log.is_paused, feed_),
        server_(nullptr, nullptr, &player_, feed_, options) {
    const std::string name = std::filesystem::path(log.path).filename().string();
    server_.start(replay_info(name, log.version, server_.session(), player_.range()));
    player_.start();
  }
  ~LogViewers() override { player_.stop(); }  // it wakes the server
  LogViewers(const LogViewers&) = delete;
  LogViewers& operator=(const LogViewers&) = delete;
  [[nodiscard]] int port() const override { return server_.port(); }
  [[nodiscard]] std::int64_t start_ns() const override { return player_.range().start_ns; }
  [[nodiscard]] std::int64_t end_ns() const override { return player_.range().end_ns; }
  [[nodiscard]] const std::set<std::string>& left_out() const override {
    return player_.left_out();
  }
  [[nodiscard]] std::string failure() const override { return player_.failure(); }

 private:
  ViewerFeed feed_{[this] { server_.wake(); }, /*admits=*/true};
  LogPlayer player_;
  BeastServer server_;
};

void check_address(const ViewerOptions& options, std::string_view others_could) {
  check_listen({.listen = options.listen,
                .option = "--viewers",
                .tls_cert = options.tls_cert,
                .tls_key = options.tls_key,
                .token_file = options.token_file,
                .tell = {}},
               others_could);
}

}  // namespace

std::unique_ptr<ViewerServer> make_viewer_server(const ServedRobot& robot, Server& server,
                                                 const ViewerOptions& options) {
  check_address(options, "watch the robot and command it");
  return std::make_unique<RobotViewers>(robot, server, options);
}

std::unique_ptr<ReplayServer> make_replay_server(const ReplayedLog& log,
                                                 const ViewerOptions& options) {
  check_address(options, "read the log");
  return std::make_unique<LogViewers>(log, options);
}

}  // namespace jointrig::remote
