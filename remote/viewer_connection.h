#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "remote/batched_socket.h"
#include "remote/rate_limit.h"
#include "remote/viewer_hub.h"
#include "remote/viewer_opening.h"
#include "remote/viewer_protocol.h"
#include "remote/viewer_services.h"

namespace jointrig::remote {

/// The connection of a viewer; the thread of the server has it.
///
/// @tparam Socket  of TCP, or with TLS around it
template <typename Socket>
class ViewerConnection final : public ViewerLink,
                               public std::enable_shared_from_this<ViewerConnection<Socket>> {
 public:
  template <typename... Below>
  explicit ViewerConnection(ViewerHub& hub, Below&&... below)
      : hub_(&hub), stream_(std::forward<Below>(below)...), queue_(hub.options->queue_bytes) {
    parser_.header_limit(kLargestRequest);
  }
  ~ViewerConnection() override { leave(); }

  void start() {
    layer().on_sent(this->weak_from_this(),
                    [this](boost::system::error_code error) { sent(error); });
    if constexpr (std::is_same_v<Socket, boost::asio::ip::tcp::socket>) {
      read_request();
    } else {
      layer().next_layer().async_handshake(
          boost::asio::ssl::stream_base::server,
          [self = this->shared_from_this()](boost::system::error_code error) {
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
      write(/*is_text=*/false, std::array{boost::asio::buffer(head.data(), head.size()),
                                          boost::asio::buffer(next.cdr.data(), next.cdr.size())});
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

  void beat() override {
    if (!is_open() || !hub_->commander->holds(client_)) return;
    boost::system::error_code error;
    stream_.ping({}, error);
    layer().flush();
  }

  void tell_lease(const LeaseChange& change) override {
    if (!is_open()) return;
    const bool has_lost = std::exchange(is_holder_, change.holder == client_);
    send(status_message(has_lost && !is_holder_ ? StatusLevel::kWarning : StatusLevel::kInfo,
                        fmt::format("lease {}: {}", change.epoch, change.sentence), "lease"));
    layer().flush();
  }

  void tell_playback(const PlaybackState& state, std::string_view id) override {
    if (!is_open()) return;
    told_status_ = state.status;
    const std::vector<std::byte> message = playback_message(state, id);
    write(/*is_text=*/false, boost::asio::buffer(message.data(), message.size()));
    if (state.did_seek) {
      told_ns_ = -kTimeEach;
      tell_time(state.time_ns);
    }
    layer().flush();
  }

  void end() override {
    boost::system::error_code ignored;
    boost::beast::get_lowest_layer(stream_).close(ignored);
  }

 private:
  // Choices.
  static constexpr std::size_t kLargestMessage = std::size_t{64} * 1024;  ///< of a viewer
  static constexpr std::size_t kLargestRequest =
      std::size_t{8} * 1024;  ///< that opens a connection
  /// Gathered before a call of the system.
  static constexpr std::size_t kBatch = std::size_t{256} * 1024;
  /// Of answers that aren't read.
  static constexpr std::size_t kLargestBacklog = std::size_t{8} * 1024 * 1024;
  static constexpr double kWishRate = 100.0;  ///< of one viewer [1/s]
  static constexpr double kWishBurst = 1000.0;
  static constexpr int kTicksToOpen = 50;
  static constexpr int kTicksToClose = 10;
  static constexpr int kTicksBetweenLosses = 10;
  static constexpr std::chrono::seconds kHandshake{5};
  /// A viewer that answers no ping for so long is gone.
  static constexpr std::chrono::seconds kSilence{20};
  static constexpr std::int64_t kTimeEach = 10'000'000;  ///< [ns] of robot time

  BatchedSocket<Socket>& layer() { return stream_.next_layer(); }
  [[nodiscard]] bool is_open() const { return is_viewer_ && !is_closing_ && stream_.is_open(); }

  // Opening -------------------------------------------------------------------------------------

  void read_request() {
    boost::beast::http::async_read(
        layer(), buffer_, parser_,
        [self = this->shared_from_this()](boost::system::error_code error, std::size_t) {
          return error ? self->end() : self->answer_request();
        });
  }

  void answer_request() {
    const OpeningRequest& request = parser_.get();
    if (const std::optional<ViewerRefusal> refusal = why_not(request, *hub_))
      return refuse(*refusal);
    const std::string protocol(common_protocol(request));
    is_viewer_ = true;
    hub_->count(+1);
    if (hub_->commander != nullptr) client_ = hub_->commander->new_client();
    stream_.control_callback([this](boost::beast::websocket::frame_type kind, auto&&) {
      if (kind == boost::beast::websocket::frame_type::pong) heard();
    });
    stream_.set_option(boost::beast::websocket::stream_base::timeout{kHandshake, kSilence, true});
    stream_.set_option(boost::beast::websocket::stream_base::decorator(
        [protocol](boost::beast::websocket::response_type& response) {
          response.set(boost::beast::http::field::sec_websocket_protocol, protocol);
        }));
    stream_.read_message_max(kLargestMessage);
    stream_.auto_fragment(false);
    stream_.async_accept(request,
                         [self = this->shared_from_this()](boost::system::error_code error) {
                           return error ? self->end() : self->welcome();
                         });
  }

  void refuse(const ViewerRefusal& refusal) {
    boost::beast::http::response<boost::beast::http::string_body> response{refusal.status, 11};
    response.set(boost::beast::http::field::content_type, "text/plain; charset=utf-8");
    if (refusal.status == boost::beast::http::status::upgrade_required) {
      response.set(boost::beast::http::field::upgrade, "websocket");
    }
    response.keep_alive(false);
    response.body() = refusal.sentence + "\n";
    response.prepare_payload();
    boost::system::error_code ignored;
    boost::beast::http::write(layer(), response, ignored);
    close_when_sent();
  }

  void welcome() {
    buffer_.consume(buffer_.size());
    send(hub_->info);
    tell_channels();
    if (hub_->player == nullptr) {
      send(advertise_services(*hub_->robot->config));
    } else {
      tell_playback(hub_->player->state(), {});
    }
    pump();
    read();
  }

  // Reading -------------------------------------------------------------------------------------

  void read() {
    stream_.async_read(
        buffer_, [self = this->shared_from_this()](boost::system::error_code error, std::size_t) {
          return error ? self->close_when_sent() : self->take_message();
        });
  }

  void take_message() {
    if (!wishes_.take(std::chrono::steady_clock::now())) return end();  // no viewer floods it
    heard();
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
    hub_->for_each([&](ViewerLink& one) {
      one.tell_playback(answer.state,
                        &one == this ? std::string_view(wish.id) : std::string_view());
    });
  }

  void meet(const ParametersWish& wish) {
    if (hub_->robot == nullptr) return meet(BadWish{"parameters: a log that is replayed has none"});
    hub_->look();
    switch (wish.kind) {
      case ParametersWish::Kind::kGet:
        return send(parameter_values(hub_->parameters->named(wish.names), wish.id));
      case ParametersWish::Kind::kSet:
        return set_parameters(wish);
      case ParametersWish::Kind::kSubscribe:
        for (const std::size_t place : hub_->parameters->places_of(wish.names)) {
          watched_.try_emplace(place, std::string());  // told at once: no parameter is empty
        }
        return tell_parameters();
      case ParametersWish::Kind::kUnsubscribe:
        for (const std::size_t place : hub_->parameters->places_of(wish.names)) {
          watched_.erase(place);
        }
    }
  }

  /// Each is a command of its own. The values in force are the answer, once the loop has answered
  /// all; a refusal is a status before it.
  void set_parameters(const ParametersWish& wish) {
    const std::string refusal = hub_->commander->why_not(client_);
    if (!refusal.empty()) meet(BadWish{"setParameters: " + refusal});
    if (!refusal.empty() || wish.settings.empty()) {
      return send(parameter_values(hub_->parameters->named(wish.names), wish.id));
    }
    const auto left = std::make_shared<std::size_t>(wish.settings.size());
    for (const ParameterSetting& setting : wish.settings) {
      const auto told = [this, self = this->weak_from_this(), left, name = setting.name,
                         names = wish.names, id = wish.id](const std::string& why_not) {
        const auto alive = self.lock();
        if (alive == nullptr || !is_open()) return;
        if (!why_not.empty()) meet(BadWish{fmt::format("setParameters: {}: {}", name, why_not)});
        if (--*left == 0) send(parameter_values(hub_->parameters->named(names), id));
        layer().flush();
      };
      try {
        hub_->commander->give(client_, hub_->parameters->command_for(setting), told);
      } catch (const std::invalid_argument& error) {
        told(error.what());
      }
    }
  }

  void meet(const ServiceWish& wish) {
    if (hub_->robot == nullptr || !has_service(wish.service, *hub_->robot->config)) {
      return send(service_failure(wish, fmt::format("there is no service {}", wish.service)));
    }
    if (wish.encoding != "cdr") {
      return send(service_failure(wish, "the encoding of a request is cdr"));
    }
    switch (wish.service) {
      case kStopService:
        return respond(wish, hub_->commander->stop(client_), "the robot stops");
      case kTakeService:
      case kTakeOverService:
        return respond(wish, hub_->commander->take(client_, wish.service == kTakeOverService),
                       "this viewer has the lease");
      case kReleaseService:
        return respond(wish, hub_->commander->release(client_), "the lease is free");
      case kSaveService:
        return save(wish);
      default:
        return command(wish);
    }
  }

  /// The disk holds up viewers, and nobody else.
  void save(const ServiceWish& wish) {
    SavedChanges saved;
    std::string refusal = hub_->commander->why_not(client_);
    if (refusal.empty()) refusal = hub_->commander->save(saved);
    respond(wish, refusal, saved.difference.empty() ? "the file has what runs" : saved.difference);
  }

  void command(const ServiceWish& wish) {
    const auto told = [this, self = this->weak_from_this(),
                       head = ServiceWish{.service = wish.service, .call = wish.call}](
                          const std::string& refusal) {
      const auto alive = self.lock();
      if (alive == nullptr || !is_open()) return;
      respond(head, refusal, "accepted");
      layer().flush();
    };
    try {
      hub_->commander->give(client_, command_of(wish, *hub_->robot->config), told);
    } catch (const std::invalid_argument& error) {
      told(error.what());
    }
  }

  void respond(const ServiceWish& wish, const std::string& refusal, std::string_view done) {
    const std::vector<std::byte> response =
        service_response(wish, refusal.empty(), refusal.empty() ? done : refusal);
    write(/*is_text=*/false, boost::asio::buffer(response.data(), response.size()));
  }

  // The lease -----------------------------------------------------------------------------------

  void heard() {
    if (hub_->commander != nullptr) hub_->commander->heard(client_);
  }

  void leave() {
    hub_->feed->leave(queue_);
    if (!std::exchange(is_viewer_, false)) return;
    hub_->count(-1);
    if (hub_->commander != nullptr) hub_->commander->leave(client_);
  }

  // Writing -------------------------------------------------------------------------------------

  template <typename Buffers>
  void write(bool is_text, const Buffers& buffers) {
    if (!stream_.is_open()) return;
    boost::system::error_code error;
    stream_.text(is_text);
    stream_.write(buffers, error);
    if (error) end();
  }
  void send(const std::string& message) { write(/*is_text=*/true, boost::asio::buffer(message)); }

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
    write(/*is_text=*/false, boost::asio::buffer(message.data(), message.size()));
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
    for (auto& [place, known] : watched_) {
      const ViewerParameter& now = hub_->parameters->all()[place];
      if (now.value == known) continue;
      known = now.value;
      changed.push_back(now);
    }
    if (!changed.empty()) send(parameter_values(changed));
  }

  void sent(boost::system::error_code error) {
    if (error || (is_closing_ && layer().waiting() == 0)) return end();
    pump();
    layer().flush();
  }

  void close_when_sent() {
    is_closing_ = true;
    leave();
    ticks_ = 0;
    layer().flush();
    if (!layer().is_sending()) end();
  }

  ViewerHub* hub_;
  boost::beast::websocket::stream<BatchedSocket<Socket>, /*deflateSupported=*/false> stream_;
  boost::beast::flat_buffer buffer_{std::max(kLargestMessage, kLargestRequest)};
  boost::beast::http::request_parser<boost::beast::http::empty_body> parser_;
  ViewerQueue queue_;
  RateLimit wishes_{kWishRate, kWishBurst};
  std::size_t known_channels_ = 0;
  /// Of the parameters that are watched, by their places, the values as last told.
  std::map<std::size_t, decltype(ViewerParameter::value)> watched_;
  std::int64_t told_ns_ = -kTimeEach;
  std::uint64_t told_dropped_ = 0;
  PlaybackStatus told_status_ = PlaybackStatus::kPaused;
  int ticks_ = 0;
  int losses_due_ = 0;
  ClientId client_ = 0;     ///< of the lease
  bool is_holder_ = false;  ///< as last told
  bool is_viewer_ = false;
  bool is_closing_ = false;
};

}  // namespace jointrig::remote
