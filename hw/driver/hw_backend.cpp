#include "hw/driver/hw_backend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <stdexcept>

namespace jointrig::hw {
namespace {

constexpr std::int64_t kLockstepPatience = 2'000'000'000;
constexpr std::int64_t kForTheGone = 20'000'000;
constexpr double kCyclesOfSetUp = 4;   // what is written once may take longer than a cycle
constexpr double kBeforeOrders = 0.9;  // of a cycle: the loop decides, and its orders go out
constexpr int kCyclesToRest = 50;      // from SWITCH ON DISABLED to SWITCHED ON takes four

}  // namespace

HwBackend::HwBackend(TimeNs period_ns, std::vector<HwBus> buses, const HwOptions& options)
    : period_ns_(period_ns), options_(options), description_{.name = "hw", .period_ns = period_ns} {
  if (buses.empty()) throw std::invalid_argument("a robot on hw needs a bus");
  std::size_t count = 0;
  for (const HwBus& bus : buses) count += bus.robot_index.size();
  description_.joints.resize(count);
  std::vector<bool> seen(count, false);
  lines_.reserve(buses.size());
  for (HwBus& bus : buses) {
    BusDescription its = bus.bus->description();
    if (its.joints.size() != bus.robot_index.size()) {
      throw std::invalid_argument("bus " + bus.name +
                                  " has other joints than the robot puts on it");
    }
    if (its.needs_fd && !bus.transport->capabilities().fd) {
      throw std::invalid_argument("bus " + bus.name + ": " + bus.transport->name() +
                                  " carries no CAN FD, which its boards speak; an SLCAN adapter "
                                  "takes data=5000000, socketcan takes fd");
    }
    for (std::size_t j = 0; j < its.joints.size(); ++j) {
      JointCapabilities& board = its.joints[j];
      const std::size_t index = bus.robot_index[j];
      if (index >= count || seen[index]) {
        throw std::invalid_argument("joint " + board.joint +
                                    " is on two buses, or another joint is on none");
      }
      seen[index] = true;
      board.bus = bus.name;
      board.cycle_ns = period_ns * bus.every;
      description_.joints[index] = std::move(board);
    }
    std::vector<std::string>& sites = description_.force_torque_sites;
    Line& line = lines_.emplace_back(Line{std::move(bus)});
    line.sensors = its.force_torque_sites.size();
    line.first_sensor = sites.size();
    sites.insert(sites.end(), its.force_torque_sites.begin(), its.force_torque_sites.end());
    std::vector<std::string>& imus = description_.imu_sites;
    line.imus = its.imu_sites.size();
    line.first_imu = imus.size();
    imus.insert(imus.end(), its.imu_sites.begin(), its.imu_sites.end());
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
      line.all_have_answered = line.all_have_answered || line.bus->all_have_answered();
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
                     [](const Line& line) { return line.bus->progress().all_running; });
}

bool HwBackend::all_decided() const noexcept {
  return std::all_of(lines_.begin(), lines_.end(),
                     [](const Line& line) { return line.bus->progress().is_decided; });
}

std::size_t HwBackend::steps_done() const noexcept {
  std::size_t sum = 0;
  for (const Line& line : lines_) sum += line.bus->progress().steps;
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
  while (!all_decided() && !is_given_up() &&
         lines_.front().clock->now() - begin < options_.start_within_ns) {
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
  sets_up_ = true;
  for (int i = 0; i < kCyclesToRest && !all_at_rest(); ++i) {
    const std::int64_t opened = lines_.front().clock->now();
    do_cycle(Opens::kAll);
    for (Line& line : lines_) {
      for (std::size_t j = 0; j < line.robot_index.size(); ++j) line.bus->write(j, JointSetpoint{});
      send(line);
    }
    // At their pace: a SYNC right behind the orders would wait for them, and the states with it.
    if (options_.timing == Timing::kPaced) hear_until(opened + longest_period());
  }
  sets_up_ = false;
  if (!all_at_rest()) throw std::runtime_error(what_is_missing());
  // A board that no joint is on would be driven by nobody, or by somebody else.
  if (const std::string strangers = problems(); !strangers.empty()) {
    throw std::runtime_error(strangers);
  }
  for (Line& line : lines_) {
    line.bus->begin();
    line.closed = line.next_sync = 0;
    line.next_orders = line.every - line.lead;
  }
  first_ = true;
  cycle_ = 0;
  next_ = lines_.front().clock->now();
}

bool HwBackend::is_given_up() const noexcept {
  return options_.give_up != nullptr && options_.give_up->load(std::memory_order_relaxed);
}

std::int64_t HwBackend::longest_period() const noexcept {
  const auto longest = std::max_element(
      lines_.begin(), lines_.end(), [](const Line& a, const Line& b) { return a.every < b.every; });
  return period_ns_ * longest->every;
}

bool HwBackend::all_at_rest() const noexcept {
  return std::all_of(lines_.begin(), lines_.end(),
                     [](const Line& line) { return line.bus->is_settled(); });
}

std::string HwBackend::what_is_missing() const {
  const std::string text = problems();
  return text.empty() ? "the boards did not get ready" : text;
}

std::string HwBackend::problems() const {
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
  return text;
}

std::int64_t HwBackend::patience_with(const Line& line) const noexcept {
  const bool lockstep = options_.timing == Timing::kLockstep;
  const double cycles = sets_up_ ? kCyclesOfSetUp : std::min(line.share, kBeforeOrders);
  const auto cycle = static_cast<double>(period_ns_ * line.every);
  const std::int64_t usual = lockstep ? kLockstepPatience : std::llround(cycles * cycle);
  const std::int64_t patience = options_.answer_within_ns > 0 ? options_.answer_within_ns : usual;
  // Boards that are gone are not waited for as long again.
  return lockstep && waited_in_vain_ ? std::min(patience, kForTheGone) : patience;
}

bool HwBackend::is_due(const Line& line) const noexcept {
  const std::uint64_t late = cycle_ % line.every;
  return cycle_ >= line.next_sync && 2 * late <= line.every;
}

void HwBackend::open(Line& line) noexcept {
  if (line.open) close(line);
  if (cycle_ > line.next_sync) line.bus->skip((cycle_ - line.next_sync) / line.every);
  line.open = true;
  line.opened = cycle_;
  line.next_sync = (cycle_ / line.every + 1) * line.every;
  line.all_have_answered = false;
  line.bus->open_cycle(line.clock->now());
  send(line);
  line.answers_until = line.clock->now() + patience_with(line);
}

void HwBackend::close(Line& line) noexcept {
  is_complete_ = is_complete_ && line.bus->is_complete();
  line.bus->close_cycle();
  line.open = false;
  line.closed = line.opened;
}

/// The loop waits for the states of a bus that has its own period, and in lockstep, where time
/// stands still meanwhile. Those of a longer cycle are taken when they are there.
void HwBackend::do_cycle(Opens which) noexcept {
  const bool lockstep = options_.timing == Timing::kLockstep;
  is_complete_ = true;
  bool opens = false;
  for (Line& line : lines_) {
    if (which == Opens::kDue && !is_due(line)) continue;
    open(line);
    opens = true;
  }
  bool in_vain = false;
  for (Line& line : lines_) {
    const bool waits = which == Opens::kAll || lockstep || line.every == 1;
    if (line.open && waits) {
      hear(line, line.answers_until,
           [&] { return lockstep ? line.all_have_answered : line.bus->is_complete(); });
      in_vain = in_vain || !line.all_have_answered;
      close(line);
    } else if (line.open) {
      const std::int64_t now = line.clock->now();
      hear(line, now, [] { return false; });
      if (line.bus->is_complete() || now >= line.answers_until) close(line);
    }
    follow_link(line);
  }
  if (opens) waited_in_vain_ = in_vain;
  if (!is_complete_) ++incomplete_;
}

/// Meanwhile a cycle of a bus may come to its end: what is heard then is of the past.
void HwBackend::hear_until(std::int64_t deadline) noexcept {
  for (std::int64_t until = 0; until < deadline;) {
    until = deadline;
    for (const Line& line : lines_) {
      if (line.open) until = std::min(until, line.answers_until);
    }
    for (Line& line : lines_) hear(line, until, [] { return false; });
    for (Line& line : lines_) {
      if (line.open && until >= line.answers_until) close(line);
    }
  }
}

void HwBackend::follow_link(Line& line) noexcept {
  const can::LinkStatus status = line.transport->status();
  line.bus->follow_link(!status.open                           ? BusLink::kGone
                        : status.bus == can::BusState::kBusOff ? BusLink::kBusOff
                                                               : BusLink::kGood);
  const std::uint64_t garbage = line.transport->counters().rx_garbage;
  if (!line.robot_index.empty()) {  // a notice is of a joint
    line.bus->notices().count(0, Notice::kLineGarbage, garbage - line.garbage);
  }
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

void HwBackend::take_new_token() noexcept {
  if (new_token_.load(std::memory_order_relaxed) == 0) return;
  const std::uint32_t token = new_token_.exchange(0, std::memory_order_acquire);
  for (Line& line : lines_) line.bus->expect_boards(token);
}

/// At a joint of the first bus that has one.
void HwBackend::tell_skipped(std::int64_t cycles) noexcept {
  const auto line = std::find_if(lines_.begin(), lines_.end(),
                                 [](const Line& its) { return !its.robot_index.empty(); });
  if (line == lines_.end()) return;
  line->bus->notices().count(0, Notice::kSkipped, static_cast<std::uint64_t>(cycles));
}

Tick HwBackend::wait() noexcept {
  if (!started_) return kRunIsOver;
  take_new_token();
  Tick tick;
  if (options_.timing == Timing::kPaced) {
    // Frames that come meanwhile are heard: heartbeats, emergencies, late states.
    hear_until(next_);
    tick.late_ns = lines_.front().clock->now() - next_;
    const std::int64_t missed =
        *tick.late_ns / period_ns_;  // periods are skipped, never made up for
    next_ += (missed + 1) * period_ns_;
    if (missed > 0 && !first_) tell_skipped(missed);
    cycle_ += first_ ? 0 : static_cast<std::uint64_t>(missed) + 1;
  } else if (!first_) {
    ++cycle_;
  }
  first_ = false;
  do_cycle(Opens::kDue);
  return tick;
}

void HwBackend::read(RobotState& state) noexcept {
  state.cycle = cycle_;
  state.time_ns = static_cast<TimeNs>(cycle_) * period_ns_;
  state.joints.resize(description_.joints.size());
  state.force_torque.resize(description_.force_torque_sites.size());
  state.imus.resize(description_.imu_sites.size());
  for (const Line& line : lines_) {
    const double since = to_seconds(static_cast<TimeNs>(cycle_ - line.closed) * period_ns_);
    for (std::size_t j = 0; j < line.robot_index.size(); ++j) {
      line.bus->read(j, since, state.joints[line.robot_index[j]]);
    }
    for (std::size_t k = 0; k < line.sensors; ++k) {
      line.bus->read_force_sensor(k, state.force_torque[line.first_sensor + k]);
    }
    for (std::size_t k = 0; k < line.imus; ++k) {
      line.bus->read_imu(k, state.imus[line.first_imu + k]);
    }
  }
}

void HwBackend::write(const RobotCommand& command) noexcept {
  for (Line& line : lines_) write(line, command);
}

void HwBackend::write(Line& line, const RobotCommand& command) noexcept {
  if (cycle_ < line.next_orders) return;
  for (std::size_t j = 0; j < line.robot_index.size(); ++j) {
    line.bus->write(j, command.joints[line.robot_index[j]]);
  }
  line.next_orders = (cycle_ / line.every + 2) * line.every - line.lead;
  send(line);
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
