#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <stdexcept>

#include "app/bus/bus_link.h"
#include "app/bus/bus_verbs.h"
#include "app/bus/bus_watch.h"
#include "app/interrupt.h"
#include "hw/can/candump.h"
#include "hw/canopen/joint_board_objects.h"

namespace jointrig::app {
namespace {

constexpr can::TimeNs kRefresh = 250 * can::kMillisecond;

/// can-utils' logs use the time of day.
can::TimeNs time_of_day_at_zero() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return can::TimeNs{now.tv_sec} * can::kSecond + now.tv_nsec - can::monotonic_now();
}

struct Watched {
  std::unique_ptr<can::Transport> link;
  BusWatch watch;
  std::string label;  // in candump's lines: without blanks
};

class Monitor {
 public:
  explicit Monitor(const MonitorOptions& options)
      : options_(options), table_(isatty(STDOUT_FILENO) != 0 && !options.lines && !options.raw) {
    for (const ChosenBus& bus : choose_buses(options.bus, options.bit_rate)) {
      buses_.push_back({open_bus(bus), BusWatch(bus, 0), bus.of_robot ? bus.name : "can0"});
    }
    if (!options.candump.empty()) log_.open(options.candump);
    if (!options.candump.empty() && !log_) {
      throw std::runtime_error("can't write " + options.candump);
    }
    start_ = can::monotonic_now();
    for (Watched& bus : buses_) bus.watch = BusWatch(bus.watch.bus(), start_);
  }

  void run() {
    const can::TimeNs end = options_.seconds > 0.0
                                ? start_ + static_cast<can::TimeNs>(1e9 * options_.seconds)
                                : can::kNever;
    can::TimeNs refresh = start_ + kRefresh;
    while (!interrupted.load() && can::monotonic_now() < end) {
      wait(std::min(end, refresh));
      for (Watched& bus : buses_) drain(bus);
      if (can::monotonic_now() < refresh) continue;
      refresh += kRefresh;
      if (table_) draw();
      if (!table_) std::fflush(stdout);
    }
  }

  void finish() {
    const can::TimeNs now = can::monotonic_now();
    if (table_) std::printf("\033[2J\033[H");
    for (Watched& bus : buses_) {
      std::fputs(bus.watch.table(now).c_str(), stdout);
      const can::LinkCounters lost = bus.link->counters();
      if (lost.rx_lost + lost.rx_garbage + lost.bus_errors == 0) continue;
      std::printf("  %llu frames lost, %llu not understood, %llu errors on the wire\n",
                  static_cast<unsigned long long>(lost.rx_lost),
                  static_cast<unsigned long long>(lost.rx_garbage),
                  static_cast<unsigned long long>(lost.bus_errors));
    }
    if (!options_.candump.empty() && !log_.flush()) {
      throw std::runtime_error("can't write all of " + options_.candump);
    }
  }

 private:
  /// Waits until one of the buses has a frame, or until `until`.
  void wait(can::TimeNs until) {
    std::vector<pollfd> waited;
    for (const Watched& bus : buses_) waited.push_back({bus.link->poll_fd(), POLLIN, 0});
    const timespec left = can::time_left(can::monotonic_now(), until);
    ppoll(waited.data(), waited.size(), &left, nullptr);
  }

  void drain(Watched& bus) {
    std::array<can::ReceivedFrame, 64> received;
    std::size_t count = received.size();
    while (count == received.size()) {
      count = bus.link->receive(received, 0);
      for (std::size_t i = 0; i < count; ++i) tell(bus, received[i]);
    }
    bus.watch.advance(can::monotonic_now());
    require_sound(*bus.link);
  }

  void tell(Watched& bus, const can::ReceivedFrame& received) {
    bus.watch.take(received.frame);
    std::array<char, can::kMaxCandumpLine> line{};
    const std::size_t size =
        can::encode_candump(received.frame, received.time + day_, bus.label, line);
    const std::string_view text(line.data(), size);
    if (log_.is_open()) log_ << text;
    if (table_) return;
    if (options_.raw) {
      std::fwrite(text.data(), 1, text.size(), stdout);
      return;
    }
    const std::string words = in_words(received.frame, objects_);
    std::printf("%11.6f %s%s%s\n", 1e-9 * static_cast<double>(received.time - start_),
                buses_.size() > 1 ? bus.label.c_str() : "", buses_.size() > 1 ? " " : "",
                words.c_str());
  }

  void draw() {
    std::printf("\033[H");
    for (const Watched& bus : buses_) {
      std::string text = bus.watch.table(can::monotonic_now());
      for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 4) {
        text.insert(at, "\033[K");  // clears the rest of a longer line
      }
      std::fputs(text.c_str(), stdout);
    }
    std::printf("Ctrl+C ends\033[J");
    std::fflush(stdout);
  }

  MonitorOptions options_;
  bool table_;
  std::vector<Watched> buses_;
  std::ofstream log_;
  canopen::DeviceDescription objects_ = canopen::joint_board();
  can::TimeNs start_ = 0;
  can::TimeNs day_ = time_of_day_at_zero();
};

}  // namespace

int monitor_verb(const MonitorOptions& options) {
  end_on_interrupt();
  Monitor monitor(options);
  monitor.run();
  monitor.finish();
  return 0;
}

}  // namespace jointrig::app
