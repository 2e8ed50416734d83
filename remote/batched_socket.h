#pragma once

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket/teardown.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace jointrig::remote {

/// A socket below a WebSocket that gathers what is written and sends it when it is told to: a
/// message of a joint is a frame of some hundred bytes, and a system call for each of 50 000 a
/// second would cost more than all the rest. One thread.
///
/// @tparam Socket  of TCP, or with TLS around it
template <typename Socket>
class BatchedSocket {
 public:
  using executor_type = Socket::executor_type;
  using error_code = boost::system::error_code;

  template <typename... Arguments>
  explicit BatchedSocket(Arguments&&... arguments)
      : socket_(std::forward<Arguments>(arguments)...) {}

  /// @param owner  is kept while something is being sent
  /// @param sent   called when all of it is, or could not be
  void on_sent(const std::weak_ptr<void>& owner, std::function<void(error_code)> sent) {
    owner_ = owner;
    sent_ = std::move(sent);
  }

  executor_type get_executor() noexcept { return socket_.get_executor(); }
  Socket& next_layer() noexcept { return socket_; }
  const Socket& next_layer() const noexcept { return socket_; }

  /// Written, and not yet being sent [bytes].
  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.size(); }
  [[nodiscard]] bool is_sending() const noexcept { return is_sending_; }

  void flush() {
    if (is_sending_ || waiting_.empty()) return;
    is_sending_ = true;
    sending_.swap(waiting_);
    boost::asio::async_write(socket_, boost::asio::buffer(sending_),
                             [this, owner = owner_.lock()](error_code error, std::size_t) {
                               is_sending_ = false;
                               sending_.clear();
                               sent_(error);
                             });
  }

  // Functions that a WebSocket asks of the layer below it.

  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers) {
    return socket_.read_some(buffers);
  }
  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers, error_code& error) {
    return socket_.read_some(buffers, error);
  }
  template <typename Buffers, typename Handler>
  auto async_read_some(const Buffers& buffers, Handler&& handler) {
    return socket_.async_read_some(buffers, std::forward<Handler>(handler));
  }
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers) {
    return append(buffers);
  }
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers, error_code& error) {
    error = {};
    return append(buffers);
  }
  /// Answers to pings and the like: sent at once. Complete when it is gathered.
  template <typename Buffers, typename Handler>
  auto async_write_some(const Buffers& buffers, Handler&& handler) {
    const std::size_t size = append(buffers);
    flush();
    return boost::asio::async_initiate<Handler, void(error_code, std::size_t)>(
        [this](auto done, std::size_t written) {
          boost::asio::post(get_executor(), boost::beast::bind_front_handler(
                                                std::move(done), error_code{}, written));
        },
        handler, size);
  }

 private:
  template <typename Buffers>
  std::size_t append(const Buffers& buffers) {
    const std::size_t before = waiting_.size();
    for (const boost::asio::const_buffer part : boost::beast::buffers_range_ref(buffers)) {
      waiting_.append(static_cast<const char*>(part.data()), part.size());
    }
    return waiting_.size() - before;
  }

  Socket socket_;
  std::weak_ptr<void> owner_;
  std::function<void(error_code)> sent_;
  std::string waiting_;
  std::string sending_;
  bool is_sending_ = false;
};

/// The connection itself closes the socket, once all is sent.
template <typename Socket>
void teardown(boost::beast::role_type /*role*/, BatchedSocket<Socket>& /*socket*/,
              boost::system::error_code& error) {
  error = {};
}
template <typename Socket, typename Handler>
void async_teardown(boost::beast::role_type /*role*/, BatchedSocket<Socket>& socket,
                    Handler&& handler) {
  boost::asio::post(socket.get_executor(),
                    boost::beast::bind_front_handler(std::forward<Handler>(handler),
                                                     boost::system::error_code{}));
}

}  // namespace jointrig::remote
