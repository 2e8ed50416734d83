#include "hw/driver/hw_backend.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <stdexcept>

namespace jointrig::hw {
namespace {

constexpr std::int64_t kLockstepPatience = 2'000'000'000;
constexpr std::int64_t kForTheGone = 20'000'000;
constexpr int kCyclesToRest = 50;  // from SWITCH ON DISABLED to SWITCHED ON takes four

}  // namespace

HwBackend::HwBackend(TimeNs period_ns, std::vector<HwBus> buses, const HwOptions& options)
    : period_ns_(period_ns), options_(options) {
  if (buses.empty()) throw std::invalid_argument("a robot on hw needs a bus");
  const bool lockstep = options_.timing == Timing::kLockstep;
  if (options_.answer_within_ns == 0) {
    options_.answer_within_ns = lockstep ? kLockstepPatience : period_ns * 6 / 10;
  }
  std::size_t count = 0;
  for (const HwBus& bus : buses) count += bus.bus->size();
  capabilities_.resize(count);
  std::vector<bool> seen(count, false);
  for (HwBus& bus : buses) {
    if (bus.bus->needs_fd() && !bus.transport->capabilities().fd) {
      throw std::invalid_argument("bus " + bus.name + ": " + bus.transport->name() +
                                  " carries no CAN FD, which its boards speak; an SLCAN adapter "
                                  "takes data=5000000, socketcan takes fd");
    }
    for (std::size_t j = 0; j < bus.bus->size(); ++j) {
      JointCapabilities board = bus.bus->capabilities(j);
      const std::size_t index = bus.robot_index.at(j);
      if (index >= count || seen[index]) {
        throw std::invalid_argument("joint " + board.joint +
                                    " is on two buses, or another joint is on none");
      }
      seen[index] = true;
      capabilities_[index] = std::move(board);
    }
    lines_.push_back(Line{std::move(bus)});
  }
}

void BusClock::sleep_until(std::int64_t time) const noexcept {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const timespec until{static_cast<time_t>(time / kSecond), static_cast<long>(time % kSecond)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

HwBackend::~HwBackend() { stop(); }

void HwBackend::send(Line& line) noexcept {
  std::array<can::Frame, FrameQueue::kCapacity> frames;
  std::size_t count = 0;
  while (const auto frame = line.bus->out().pop()) frames[count++] = *frame;
  if (count != 0) line.transport->send(std::span(frames).first(count));
}

template <typename Enough>
void HwBackend::hear(Line& line, std::int64_t deadline, Enough enough) noexcept {
  std::array<can::ReceivedFrame, 64> frames;
  while (!enough()) {
    const std::size_t count = line.transport->receive(frames, deadline);
    const std::int64_t now = line.clock->now();
    for (std::size_t i = 0; i < count; ++i) {
      const can::Frame& frame = frames[i].frame;
      const bool is_last = frame.id == kAllHaveAnswered && !frame.extended;
      line.all_have_answered = line.all_have_answered || is_last;
      line.bus->receive(frame, now);
    }
    send(line);  // answers of a set-up under way
    if (count == 0 && now >= deadline) return;
    // A link that is gone returns at once: waiting is up to us.
    if (count == 0 && !line.transport->status().open) {
      if (options_.timing == Timing::kPaced) line.clock->sleep_until(deadline);
      return;
    }
  }
}

bool HwBackend::all_run() const noexcept {
  return std::all_of(lines_.begin(), lines_.end(),
                     [](const Line& line) { return line.bus->all_running(); });
}

bool HwBackend::all_decided() const noexcept {
  return std::all_of(lines_.begin(), lines_.end(),
                     [](const Line& line) { return line.bus->is_decided(); });
}

std::size_t HwBackend::steps_done() const noexcept {
  std::size_t sum = 0;
  for (const Line& line : lines_) sum += line.bus->steps_done();
  return sum;
}

void HwBackend::start() {
  for (Line& line : lines_) {
    line.transport->flush();
    line.bus->start(line.clock->now());
    send(line);
  }
  std::int64_t begin = lines_.front().clock->now();
  std::size_t done = 0;
  while (!all_decided() && lines_.front().clock->now() - begin < options_.start_within_ns) {
    for (Line& line : lines_) {
      line.bus->poll(line.clock->now());
      send(line);
      hear(line, line.clock->now() + can::kMillisecond, [] { return false; });
    }
    if (steps_done() == done) continue;
    done = steps_done();
    begin = lines_.front().clock->now();
  }
  if (!all_run()) throw std::runtime_error(what_is_missing());
  started_ = true;
  // Every drive to where one word enables it, its stage off.
  for (int i = 0; i < kCyclesToRest && !all_at_rest(); ++i) {
    do_cycle();
    for (Line& line : lines_) {
      for (std::size_t j = 0; j < line.bus->size(); ++j) line.bus->write(j, JointSetpoint{});
      send(line);
    }
  }
  if (!all_at_rest()) throw std::runtime_error(what_is_missing());
  for (Line& line : lines_) line.bus->begin();
  first_ = true;
  cycle_ = 0;
  next_ = lines_.front().clock->now();
}

bool HwBackend::all_at_rest() const noexcept {
  return std::all_of(lines_.begin(), lines_.end(),
                     [](const Line& line) { return line.bus->is_settled(); });
}

std::string HwBackend::what_is_missing() const {
  std::string text;
  for (const Line& line : lines_) {
    const can::LinkStatus link = line.transport->status();
    if (!link.open || link.bus == can::BusState::kBusOff) {
      text += (text.empty() ? "" : "\n") + ("bus " + line.name) + ": " +
              can::describe(link, line.transport->name());
    }
    for (const std::string& problem : line.bus->problems(all_run())) {
      text += (text.empty() ? "" : "\n") + ("bus " + line.name) + ": " + problem;
    }
  }
  return text.empty() ? "the boards did not get ready" : text;
}

void HwBackend::do_cycle() noexcept {
  const bool lockstep = options_.timing == Timing::kLockstep;
  // Boards that are gone are not waited for as long again.
  const bool are_gone = lockstep && waited_in_vain_;
  const std::int64_t patience =
      are_gone ? std::min(options_.answer_within_ns, kForTheGone) : options_.answer_within_ns;
  waited_in_vain_ = false;
  for (Line& line : lines_) {
    line.all_have_answered = false;
    line.bus->open_cycle(line.clock->now());
    send(line);
    line.answers_until = line.clock->now() + patience;
  }
  bool complete = true;
  for (Line& line : lines_) {
    hear(line, line.answers_until,
         [&] { return lockstep ? line.all_have_answered : line.bus->is_complete(); });
    complete = complete && line.bus->is_complete();
    waited_in_vain_ = waited_in_vain_ || !line.all_have_answered;
    line.bus->close_cycle();
    follow_link(line);
  }
  if (!complete) ++incomplete_;
}

void HwBackend::follow_link(Line& line) noexcept {
  const can::LinkStatus status = line.transport->status();
  line.bus->follow_link(!status.open                           ? BusLink::kGone
                        : status.bus == can::BusState::kBusOff ? BusLink::kBusOff
                                                               : BusLink::kGood);
  const std::uint64_t garbage = line.transport->counters().rx_garbage;
  line.bus->notices().count(0, Notice::kLineGarbage, garbage - line.garbage);
  line.garbage = garbage;
}

std::optional<BoardNotice> HwBackend::next_notice() noexcept {
  for (Line& line : lines_) {
    auto notice = line.bus->notices().next();
    if (!notice) continue;
    notice->joint = static_cast<JointIndex>(line.robot_index[notice->joint]);
    return notice;
  }
  return std::nullopt;
}

Tick HwBackend::wait() noexcept {
  if (!started_) return Tick::kEnd;
  if (options_.timing == Timing::kPaced) {
    // What comes meanwhile is heard: heartbeats, emergencies, what is late.
    for (Line& line : lines_) hear(line, next_, [] { return false; });
    late_ns_ = lines_.front().clock->now() - next_;
    const std::int64_t missed = *late_ns_ / period_ns_;  // periods are skipped, never made up for
    next_ += (missed + 1) * period_ns_;
    if (missed > 0 && !first_) {
      lines_.front().bus->notices().count(0, Notice::kSkipped, static_cast<std::uint64_t>(missed));
    }
    cycle_ += first_ ? 0 : static_cast<std::uint64_t>(missed) + 1;
  } else if (!first_) {
    ++cycle_;
  }
  first_ = false;
  do_cycle();
  return Tick::kCycle;
}

void HwBackend::read(RobotState& state) noexcept {
  state.cycle = cycle_;
  state.time_ns = static_cast<TimeNs>(cycle_) * period_ns_;
  state.joints.resize(capabilities_.size());
  for (const Line& line : lines_) {
    for (std::size_t j = 0; j < line.robot_index.size(); ++j) {
      line.bus->read(j, state.joints[line.robot_index[j]]);
    }
  }
}

void HwBackend::write(const RobotCommand& command) noexcept {
  for (Line& line : lines_) {
    for (std::size_t j = 0; j < line.robot_index.size(); ++j) {
      line.bus->write(j, command.joints[line.robot_index[j]]);
    }
    send(line);
  }
}

void HwBackend::stop() noexcept {
  if (!started_) return;
  started_ = false;
  for (Line& line : lines_) {
    line.bus->stop();
    send(line);
  }
}

}  // namespace jointrig::hw
