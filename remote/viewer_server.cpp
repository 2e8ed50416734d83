#include "remote/viewer_server.h"

#include <fmt/core.h>

#include <algorithm>
#include <boost/asio/ssl.hpp>
#include <boost/beast.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <chrono>
#include <filesystem>
#include <list>
#include <optional>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>

#include "remote/address.h"
#include "remote/batched_socket.h"
#include "remote/log_player.h"
#include "remote/rate_limit.h"
#include "remote/replay_server.h"
#include "remote/viewer_feed.h"
#include "remote/viewer_parameters.h"
#include "remote/viewer_protocol.h"

namespace jointrig::remote {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Choices.
constexpr std::size_t kLargestMessage = 64 * 1024;        ///< of a viewer
constexpr std::size_t kLargestRequest = 8 * 1024;         ///< that opens a connection
constexpr std::size_t kBatch = 256 * 1024;                ///< gathered before a call of the system
constexpr std::size_t kLargestBacklog = 8 * 1024 * 1024;  ///< of answers that aren't read
constexpr std::size_t kFurtherConnections = 16;           ///< that are no viewers yet
constexpr double kWishRate = 100.0;                       ///< of one viewer [1/s]
constexpr double kWishBurst = 1000.0;
constexpr milliseconds kTick{100};
constexpr int kTicksToOpen = 50;
constexpr int kTicksToClose = 10;
constexpr int kTicksBetweenLosses = 10;
constexpr seconds kHandshake{5};
constexpr seconds kSilence{20};  ///< after which a viewer that answers no ping is gone
constexpr std::int64_t kTimeEach = 10'000'000;  ///< [ns] of robot time

/// A connection, whatever is below it.
class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;
  /// Messages or channels are waiting.
  virtual void pump() = 0;
  /// Each 0.1 s.
  virtual void tick() = 0;
  /// @param id  of the wish that it answers; empty: of none
  virtual void tell_playback(const PlaybackState& state, std::string_view id) = 0;
  virtual void end() = 0;
};

/// State that connections share. All of it in one thread, but for the feed.
struct Hub {
  const ViewedRobot* robot = nullptr;  ///< null: a log is replayed
  LogPlayer* player = nullptr;         ///< null: a robot runs
  std::string info;                    ///< first message to each viewer
  const ViewerOptions* options = nullptr;
  std::string token;
  std::string session;
  ViewerFeed* feed = nullptr;
  std::atomic<bool>* is_watched = nullptr;
  std::list<std::weak_ptr<Connection>> connections;
  std::atomic<std::size_t> viewers{0};      ///< written by this thread alone
  std::vector<ViewerParameter> parameters;  ///< of the last tick
  std::int64_t time_ns = -1;                ///< likewise
  PlaybackState playback;                   ///< likewise
  Snapshot snapshot;

  void look() {
    if (player != nullptr) {
      playback = player->state();
      time_ns = playback.time_ns;
      return;
    }
    if (!robot->snapshots->read(snapshot)) return;
    parameters = viewer_parameters(*robot->config, snapshot);
    time_ns = snapshot.time_ns;
  }
  void count(int change) {
    const std::size_t now =
        viewers.fetch_add(static_cast<std::size_t>(change)) + static_cast<std::size_t>(change);
    is_watched->store(now != 0, std::memory_order_relaxed);
    if (player != nullptr) player->set_watched(now != 0);
  }
  void for_each(const std::function<void(Connection&)>& act) {
    for (auto at = connections.begin(); at != connections.end();) {
      const std::shared_ptr<Connection> one = at->lock();
      at = one != nullptr ? std::next(at) : connections.erase(at);
      if (one != nullptr) act(*one);
    }
  }
};

struct Refusal {
  http::status status = http::status::bad_request;
  std::string sentence;
};

std::string_view text(beast::string_view view) { return {view.data(), view.size()}; }

/// The first of the viewer's sub-protocols that is ours; empty: none.
std::string_view common_protocol(std::string_view offered) {
  for (const auto& word : http::token_list(beast::string_view(offered.data(), offered.size()))) {
    for (const std::string_view ours : kViewerProtocols) {
      if (text(word) == ours) return ours;
    }
  }
  return {};
}

/// A browser can set no header for a WebSocket, so the address may have the token: ?token=...
std::string shown_token(const http::request<http::empty_body>& request) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view header = text(request[http::field::authorization]);
  if (header.starts_with(kBearer)) return std::string(header.substr(kBearer.size()));
  constexpr std::string_view kQuery = "?token=";
  const std::string_view target = text(request.target());
  const std::size_t at = target.find(kQuery);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = target.substr(at + kQuery.size());
  return std::string(rest.substr(0, rest.find('&')));
}

std::optional<Refusal> why_not(const http::request<http::empty_body>& request, const Hub& hub) {
  if (!hub.token.empty() && !same_secret(shown_token(request), hub.token)) {
    return Refusal{http::status::unauthorized,
                   "this robot wants its token: the header \"Authorization: Bearer ...\", or "
                   "?token=... at the end of the address"};
  }
  const std::string_view origin = text(request[http::field::origin]);
  if (!is_welcome(origin, hub.options->origins)) {
    return Refusal{http::status::forbidden,
                   fmt::format("pages of {} may not connect: jointrig's option --viewer-origin "
                               "allows them",
                               origin)};
  }
  if (!websocket::is_upgrade(request)) {
    return Refusal{http::status::upgrade_required,
                   "this is a Foxglove WebSocket: open its address with ws:// in Foxglove, "
                   "Lichtblick or PlotJuggler"};
  }
  if (common_protocol(text(request[http::field::sec_websocket_protocol])).empty()) {
    return Refusal{http::status::bad_request,
                   "the sub-protocol has to be foxglove.sdk.v1 or foxglove.websocket.v1"};
  }
  if (hub.viewers < hub.options->viewers) return std::nullopt;
  return Refusal{http::status::service_unavailable,
                 fmt::format("{} viewers are connected, and no more may be", hub.viewers.load())};
}

template <typename Socket>
class ViewerConnection final : public Connection,
                               public std::enable_shared_from_this<ViewerConnection<Socket>> {
 public:
  template <typename... Below>
  explicit ViewerConnection(Hub& hub, Below&&... below)
      : hub_(&hub), stream_(std::forward<Below>(below)...), queue_(hub.options->queue_bytes) {
    parser_.header_limit(kLargestRequest);
  }
  ~ViewerConnection() override {
    hub_->feed->leave(queue_);
    if (is_viewer_) hub_->count(-1);
  }

  void start() {
    layer().on_sent(this->weak_from_this(), [this](error_code error) { sent(error); });
    if constexpr (std::is_same_v<Socket, tcp::socket>) {
      read_request();
    } else {
      layer().next_layer().async_handshake(asio::ssl::stream_base::server,
                                           [self = this->shared_from_this()](error_code error) {
                                             return error ? self->end() : self->read_request();
                                           });
    }
  }

  void pump() override {
    if (!is_open()) return;
    tell_channels();
    for (WaitingMessage next = queue_.front(); !next.cdr.empty(); next = queue_.front()) {
      if (layer().waiting() >= kBatch) break;
      const MessageHead head = message_head(next);
      write(/*is_text=*/false, std::array{asio::buffer(head.data(), head.size()),
                                          asio::buffer(next.cdr.data(), next.cdr.size())});
      tell_time(next.time_ns);
      queue_.pop();
    }
    layer().flush();
  }

  void tick() override {
    ++ticks_;
    if (!is_viewer_ && ticks_ > kTicksToOpen) return end();
    if (is_closing_ && ticks_ > kTicksToClose) return end();
    if (!is_open()) return;
    tell_losses();
    tell_parameters();
    // The end, once all before it is sent.
    const bool is_news = hub_->player != nullptr && hub_->playback.status != told_status_;
    if (is_news && queue_.front().cdr.empty()) tell_playback(hub_->playback, {});
    if (queue_.front().cdr.empty() && hub_->time_ns >= 0) tell_time(hub_->time_ns);
    layer().flush();
  }

  void tell_playback(const PlaybackState& state, std::string_view id) override {
    if (!is_open()) return;
    told_status_ = state.status;
    const std::vector<std::byte> message = playback_message(state, id);
    write(/*is_text=*/false, asio::buffer(message.data(), message.size()));
    if (state.did_seek) {
      told_ns_ = -kTimeEach;
      tell_time(state.time_ns);
    }
    layer().flush();
  }

  void end() override {
    error_code ignored;
    beast::get_lowest_layer(stream_).close(ignored);
  }

 private:
  BatchedSocket<Socket>& layer() { return stream_.next_layer(); }
  [[nodiscard]] bool is_open() const { return is_viewer_ && !is_closing_ && stream_.is_open(); }

  // Opening -------------------------------------------------------------------------------------

  void read_request() {
    http::async_read(layer(), buffer_, parser_,
                     [self = this->shared_from_this()](error_code error, std::size_t) {
                       return error ? self->end() : self->answer_request();
                     });
  }

  void answer_request() {
    const http::request<http::empty_body>& request = parser_.get();
    if (const std::optional<Refusal> refusal = why_not(request, *hub_)) return refuse(*refusal);
    const std::string protocol(common_protocol(text(request[http::field::sec_websocket_protocol])));
    is_viewer_ = true;
    hub_->count(+1);
    stream_.set_option(websocket::stream_base::timeout{kHandshake, kSilence, true});
    stream_.set_option(
        websocket::stream_base::decorator([protocol](websocket::response_type& response) {
          response.set(http::field::sec_websocket_protocol, protocol);
        }));
    stream_.read_message_max(kLargestMessage);
    stream_.auto_fragment(false);
    stream_.async_accept(request, [self = this->shared_from_this()](error_code error) {
      return error ? self->end() : self->welcome();
    });
  }

  void refuse(const Refusal& refusal) {
    http::response<http::string_body> response{refusal.status, 11};
    response.set(http::field::content_type, "text/plain; charset=utf-8");
    if (refusal.status == http::status::upgrade_required) {
      response.set(http::field::upgrade, "websocket");
    }
    response.keep_alive(false);
    response.body() = refusal.sentence + "\n";
    response.prepare_payload();
    error_code ignored;
    http::write(layer(), response, ignored);
    close_when_sent();
  }

  void welcome() {
    buffer_.consume(buffer_.size());
    send(hub_->info);
    tell_channels();
    if (hub_->player == nullptr) {
      send(advertise_services());
    } else {
      tell_playback(hub_->player->state(), {});
    }
    pump();
    read();
  }

  // Reading -------------------------------------------------------------------------------------

  void read() {
    stream_.async_read(buffer_, [self = this->shared_from_this()](error_code error, std::size_t) {
      return error ? self->close_when_sent() : self->take_message();
    });
  }

  void take_message() {
    if (!wishes_.take(std::chrono::steady_clock::now())) return end();  // no viewer floods it
    const auto bytes = buffer_.cdata();
    if (stream_.got_text()) {
      const std::string_view given(static_cast<const char*>(bytes.data()), bytes.size());
      for (const ViewerWish& wish : read_viewer_text(given)) carry_out(wish);
    } else {
      const auto* first = static_cast<const std::byte*>(bytes.data());
      carry_out(read_viewer_bytes({first, bytes.size()}));
    }
    buffer_.consume(buffer_.size());
    pump();
    if (layer().waiting() > kLargestBacklog) return end();  // it reads none of its answers
    read();
  }

  void carry_out(const ViewerWish& wish) {
    std::visit([this](const auto& one) { meet(one); }, wish);
  }
  void meet(const BadWish& wish) { send(status_message(StatusLevel::kError, wish.sentence)); }
  void meet(const SubscribeWish& wish) {
    tell_refusal(hub_->feed->subscribe(queue_, wish.id, wish.channel));
    if (hub_->player != nullptr) hub_->player->subscribed();
  }
  void meet(const UnsubscribeWish& wish) { tell_refusal(hub_->feed->unsubscribe(queue_, wish.id)); }
  void tell_refusal(const std::string& sentence) {
    if (!sentence.empty()) meet(BadWish{sentence});
  }

  void meet(const PlaybackWish& wish) {
    if (hub_->player == nullptr) {
      return meet(BadWish{"playback control: a robot runs here; `jointrig replay` plays a log"});
    }
    const LogPlayer::Answer answer = hub_->player->control(wish);
    if (!answer.refusal.empty()) {
      meet(BadWish{answer.refusal});
      return tell_playback(answer.state, wish.id);  // which is as it was
    }
    hub_->playback = answer.state;
    hub_->for_each([&](Connection& one) {
      one.tell_playback(answer.state,
                        &one == this ? std::string_view(wish.id) : std::string_view());
    });
  }

  void meet(const ParametersWish& wish) {
    if (hub_->robot == nullptr) return meet(BadWish{"parameters: a log that is replayed has none"});
    hub_->look();
    switch (wish.kind) {
      case ParametersWish::Kind::kGet:
        return send(parameter_values(named(hub_->parameters, wish.names), wish.id));
      case ParametersWish::Kind::kSet:
        meet(
            BadWish{"setParameters: a viewer reads, and may stop the robot; whoever holds the "
                    "lease sets it: jointrig.connect() in Python"});
        return send(parameter_values(hub_->parameters, wish.id));
      case ParametersWish::Kind::kSubscribe:
        for (const ViewerParameter& one : named(hub_->parameters, wish.names)) {
          if (named(watched_, {one.name}).empty()) watched_.push_back({one.name, std::string()});
        }
        return tell_parameters();
      case ParametersWish::Kind::kUnsubscribe:
        const std::vector<ViewerParameter> ended = named(watched_, wish.names);
        for (const ViewerParameter& one : ended) std::erase(watched_, one);
    }
  }

  void meet(const ServiceWish& wish) {
    if (wish.service != kStopService || hub_->robot == nullptr) {
      return send(service_failure(wish, fmt::format("there is no service {}", wish.service)));
    }
    const std::string refusal = hub_->robot->stop("viewer");
    const std::vector<std::byte> response =
        stop_response(wish, refusal.empty(), refusal.empty() ? "the robot stops" : refusal);
    write(/*is_text=*/false, asio::buffer(response.data(), response.size()));
  }

  // Writing -------------------------------------------------------------------------------------

  template <typename Buffers>
  void write(bool is_text, const Buffers& buffers) {
    if (!stream_.is_open()) return;
    error_code error;
    stream_.text(is_text);
    stream_.write(buffers, error);
    if (error) end();
  }
  void send(const std::string& message) { write(/*is_text=*/true, asio::buffer(message)); }

  void tell_channels() {
    const std::vector<harness::LiveChannel> fresh = hub_->feed->channels_after(known_channels_);
    if (fresh.empty()) return;
    known_channels_ += fresh.size();
    send(advertise(fresh));
  }

  /// Never back: viewers take that for a run that begins again.
  void tell_time(std::int64_t time_ns) {
    if (time_ns < told_ns_ + kTimeEach) return;
    told_ns_ = time_ns;
    const auto message = time_message(time_ns);
    write(/*is_text=*/false, asio::buffer(message.data(), message.size()));
  }

  void tell_losses() {
    const std::uint64_t dropped = queue_.dropped();
    if (dropped == told_dropped_ || ticks_ < losses_due_) return;
    losses_due_ = ticks_ + kTicksBetweenLosses;
    told_dropped_ = dropped;
    send(status_message(StatusLevel::kWarning,
                        fmt::format("{} messages are lost so far: this viewer reads more slowly "
                                    "than they come, so subscribe to fewer topics",
                                    dropped),
                        "lost"));
  }

  void tell_parameters() {
    std::vector<ViewerParameter> changed;
    for (ViewerParameter& known : watched_) {
      for (const ViewerParameter& now : named(hub_->parameters, {known.name})) {
        if (now == known) continue;
        known = now;
        changed.push_back(now);
      }
    }
    if (!changed.empty()) send(parameter_values(changed));
  }

  void sent(error_code error) {
    if (error || (is_closing_ && layer().waiting() == 0)) return end();
    pump();
    layer().flush();
  }

  void close_when_sent() {
    is_closing_ = true;
    if (std::exchange(is_viewer_, false)) hub_->count(-1);
    hub_->feed->leave(queue_);
    ticks_ = 0;
    layer().flush();
    if (!layer().is_sending()) end();
  }

  Hub* hub_;
  websocket::stream<BatchedSocket<Socket>, /*deflateSupported=*/false> stream_;
  beast::flat_buffer buffer_{std::max(kLargestMessage, kLargestRequest)};
  http::request_parser<http::empty_body> parser_;
  ViewerQueue queue_;
  RateLimit wishes_{kWishRate, kWishBurst};
  std::size_t known_channels_ = 0;
  std::vector<ViewerParameter> watched_;  ///< as last told
  std::int64_t told_ns_ = -kTimeEach;
  std::uint64_t told_dropped_ = 0;
  PlaybackStatus told_status_ = PlaybackStatus::kPaused;
  int ticks_ = 0;
  int losses_due_ = 0;
  bool is_viewer_ = false;
  bool is_closing_ = false;
};

/// Of a robot, or of a log.
class BeastServer {
 public:
  /// @param feed  its wake() is this object's
  BeastServer(const ViewedRobot* robot, LogPlayer* player, ViewerFeed& feed,
              const ViewerOptions& options)
      : options_(options) {
    hub_.robot = robot;
    hub_.player = player;
    hub_.options = &options_;
    if (!options.token_file.empty()) hub_.token = token_of_file(options.token_file);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    hub_.session = std::to_string(std::chrono::duration_cast<milliseconds>(now).count());
    hub_.feed = &feed;
    hub_.is_watched = &is_watched_;
    if (!options.tls_cert.empty()) load_keys();
    hub_.look();  // snapshots are published from now on
    listen();
  }
  ~BeastServer() {
    if (!thread_.joinable()) return;
    asio::post(io_, [this] {
      hub_.for_each([](Connection& one) { one.end(); });
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
    tick();
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
      hub_.for_each([](Connection& one) { one.pump(); });
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
    retry_.expires_after(kTick);
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

  void tick() {
    timer_.expires_after(kTick);
    timer_.async_wait([this](error_code) {
      tick();  // first, whatever becomes of this one
      if (hub_.viewers != 0) hub_.look();
      hub_.for_each([](Connection& one) { one.tick(); });
    });
  }

  ViewerOptions options_;
  std::atomic<bool> is_watched_{false};
  std::atomic<bool> is_woken_{false};
  Hub hub_;
  std::optional<asio::ssl::context> tls_;
  asio::io_context io_{1};  ///< goes first, with the connections in its handlers
  tcp::acceptor acceptor_{io_};
  asio::steady_timer timer_{io_};
  asio::steady_timer retry_{io_};
  int port_ = 0;
  std::thread thread_;
};

class RobotViewers final : public ViewerServer {
 public:
  RobotViewers(const ViewedRobot& robot, const ViewerOptions& options)
      : robot_(robot), server_(&robot_, nullptr, feed_, options) {
    server_.start(server_info(robot_.config->name, robot_.version, server_.session()));
  }
  [[nodiscard]] int port() const override { return server_.port(); }
  [[nodiscard]] std::size_t viewers() const override { return server_.viewers(); }
  [[nodiscard]] harness::LiveAudience& audience() override { return feed_; }
  [[nodiscard]] const std::atomic<bool>& is_watched() const override {
    return server_.is_watched();
  }

 private:
  ViewedRobot robot_;
  ViewerFeed feed_{[this] { server_.wake(); }};
  BeastServer server_;
};

class LogViewers final : public ReplayServer {
 public:
  LogViewers(const ReplayedLog& log, const ViewerOptions& options)
      : player_(log.path, log.speed, log.is_paused, feed_),
        server_(nullptr, &player_, feed_, options) {
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

void check_address(const ViewerOptions& options) {
  check_listen({.listen = options.listen,
                .option = "--viewers",
                .tls_cert = options.tls_cert,
                .tls_key = options.tls_key,
                .token_file = options.token_file,
                .tell = {}});
}

}  // namespace

std::unique_ptr<ViewerServer> make_viewer_server(const ViewedRobot& robot,
                                                 const ViewerOptions& options) {
  check_address(options);
  return std::make_unique<RobotViewers>(robot, options);
}

std::unique_ptr<ReplayServer> make_replay_server(const ReplayedLog& log,
                                                 const ViewerOptions& options) {
  check_address(options);
  return std::make_unique<LogViewers>(log, options);
}

}  // namespace jointrig::remote
