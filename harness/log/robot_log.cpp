#include "harness/log/robot_log.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>

#include "control/core/command_numbers.h"
#include "harness/log/command_words.h"
#include "harness/log/log_messages.h"
#include "harness/log/log_writer.h"

namespace jointrig::harness {
namespace {

using std::chrono::microseconds;

/// Period of the writer's polling. The ring holds far more than comes in that time, and to wake it
/// the loop would need a system call.
constexpr microseconds kWriterRest{2000};
/// Cycles between checks of the open chunk's age, in a log without a thread: cycles take
/// microseconds to milliseconds.
constexpr std::uint64_t kCyclesBetweenPolls = 64;

std::size_t count_values(const std::vector<LoggedTruth>& truth) {
  std::size_t values = 0;
  for (const LoggedTruth& one : truth) values += one.values();
  return values;
}

std::size_t ring_bytes(const RobotConfig& config, const RobotLogOptions& options) {
  constexpr double kSeconds = 0.5;
  const std::size_t cycles =
      options.ring_cycles != 0 ? options.ring_cycles
                               : static_cast<std::size_t>(kSeconds / to_seconds(config.period_ns));
  const std::size_t truth = count_values(options.truth);
  const std::size_t cycle = cycle_record_size(config.joints.size(), 0, config.arms.size(), truth,
                                              config.laws.size(), signal_count(config.laws));
  // At least four of the largest records, so that a cycle with all its events always fits.
  return std::max(cycles * cycle,
                  4 * cycle_record_size(kMaxJoints, kMaxJoints, kMaxArms, truth, config.laws.size(),
                                        signal_count(config.laws)));
}

std::size_t most_numbers_of_a_command() {
  std::size_t most = 0;
  for (const CommandKind kind : kAllCommandKind) {
    most = std::max(most, number_names(kind).size() + kMaxJoints * value_names(kind).size());
  }
  return most;
}

/// The thread inherits the loop's real-time scheduling: it must not compete with the loop.
void leave_real_time() noexcept {
  const sched_param ordinary{};
  pthread_setschedparam(pthread_self(), SCHED_OTHER, &ordinary);
}

}  // namespace

McapOptions RobotLogOptions::default_file_options() {
  McapOptions options;
  options.compression = Compression::kNone;
  return options;
}

RobotLog::RobotLog(const std::string& path, const RobotConfig& config, const EventRing& events,
                   const CommandInbox& inbox, RobotLogOptions options)
    : options_(std::move(options)),
      events_(events),
      truth_(options_.read_truth ? count_values(options_.truth) : 0) {
  raw_.reserve(kMaxJoints);
  numbers_.reserve(most_numbers_of_a_command());
  options_.file.on_failure = [this](const std::string& sentence) {
    failure_ = sentence;
    failed_.store(true, std::memory_order_release);
  };
  writer_ = make_log_writer(path, config, inbox, options_);
  if (options_.own_thread) start_thread(config);
}

RobotLog::RobotLog(std::unique_ptr<RecordWriter> writer, const RobotConfig& config,
                   const EventRing& events)
    : events_(events), writer_(std::move(writer)) {
  raw_.reserve(kMaxJoints);
  numbers_.reserve(most_numbers_of_a_command());
  start_thread(config);
}

void RobotLog::start_thread(const RobotConfig& config) {
  ring_ = std::make_unique<RecordRing>(ring_bytes(config, options_));
  event_reserve_ = ring_->capacity() / 8;
  thread_ = std::thread([this] { run(); });
}

RobotLog::~RobotLog() { close(); }

/// Adds one to a counter that this thread alone changes: without a locked instruction, which waits
/// until all that the cycle has written is in the cache.
void count(std::atomic<std::uint64_t>& counter) noexcept {
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// Passes a record to the writer, or to its ring. Returns false if the ring is full.
template <typename Record>
bool RobotLog::pass_on(const Record& record, std::size_t size, std::size_t keep_free) noexcept {
  if (ring_ == nullptr) {
    writer_->write(record);
    return true;
  }
  std::byte* at = ring_->reserve(size, keep_free);
  if (at == nullptr) return false;
  put_record(record, at);
  ring_->commit();
  return true;
}

bool RobotLog::push(const Snapshot& snapshot, const RobotState& state) noexcept {
  push_events();
  collect_raw(snapshot, state);
  if (!truth_.empty()) options_.read_truth(truth_);
  const bool whole = snapshot.time_ns >= rest_due_;
  if (whole) rest_due_ = (snapshot.time_ns / kRestPeriod + 1) * kRestPeriod;
  const CycleRecord about{.cycle = snapshot.cycle,
                          .time_ns = snapshot.time_ns,
                          .overruns = snapshot.overruns,
                          .speed_override = snapshot.speed_override,
                          .protection = snapshot.protection,
                          .dropped = dropped_cycles_.load(std::memory_order_relaxed),
                          .whole = whole ? 1U : 0U,
                          .times = snapshot.times,
                          .base = snapshot.base,
                          .force_torque = state.force_torque,
                          .imus = state.imus,
                          .grippers = snapshot.grippers};
  std::span<const ArmSnapshot> arms = snapshot.arms;
  const bool rests = !whole && std::none_of(arms.begin(), arms.end(),
                                            [](const ArmSnapshot& arm) { return is_at_work(arm); });
  if (rests) arms = {};
  const LoggedCycle cycle{&about,        snapshot.joints,     raw_, arms, truth_,
                          snapshot.laws, snapshot.law_signals};
  if (!pass_on(cycle, record_size(cycle), event_reserve_)) {
    count(dropped_cycles_);
    return false;
  }
  count(cycles_);
  if (ring_ == nullptr && cycles_.load(std::memory_order_relaxed) % kCyclesBetweenPolls == 0) {
    writer_->poll();
  }
  return true;
}

/// The snapshot contains the values that the stack used; this is the board's report, if it differs.
void RobotLog::collect_raw(const Snapshot& snapshot, const RobotState& state) noexcept {
  raw_.clear();
  const std::size_t sensed = std::min(snapshot.joints.size(), state.joints.size());
  for (std::size_t i = 0; i < sensed; ++i) {
    if (same_bits(snapshot.joints[i].state, state.joints[i])) continue;
    raw_.push_back({i, state.joints[i]});  // kMaxJoints are reserved
  }
}

void RobotLog::pass_over() noexcept {
  Event event;
  while (events_.next(event)) {
  }
}

void RobotLog::push_events() noexcept {
  Event event;
  while (events_.next(event)) {
    const bool taken = pass_on(event, record_size(event), 0);
    count(taken ? event_count_ : dropped_events_);
  }
}

bool RobotLog::append(const Command& command, std::uint64_t cycle, TimeNs time_ns) noexcept {
  numbers_.clear();
  for_each_number_of(command.request, [this](double number) { numbers_.push_back(number); });
  const CommandRecord about{.cycle = cycle,
                            .time_ns = time_ns,
                            .number = command.number,
                            .seen_ns = command.time_ns,
                            .joints = joints_of(command.request),
                            .kind = kind_of(command),
                            .arm = arm_of(command.request),
                            .sender = command.sender};
  const LoggedCommand record{&about, numbers_};
  const bool taken = pass_on(record, record_size(record), 0);
  if (!taken) count(dropped_events_);
  return taken;
}

void RobotLog::write_record(std::span<const std::byte> record) noexcept {
  switch (head_of(record).kind) {
    case LogRecordKind::kCycle:
      return writer_->write(cycle_of(record));
    case LogRecordKind::kEvent:
      return writer_->write(event_of(record));
    case LogRecordKind::kCommand:
      return writer_->write(command_of(record));
  }
}

void RobotLog::run() noexcept {
  leave_real_time();
  for (;;) {
    const bool last_round = stop_.load(std::memory_order_acquire);
    for (auto record = ring_->front(); !record.empty(); record = ring_->front()) {
      write_record(record);
      ring_->pop();
    }
    if (last_round) return;
    writer_->poll();
    std::this_thread::sleep_for(kWriterRest);
  }
}

RobotLogStatus RobotLog::status() const {
  RobotLogStatus status;
  status.ok = !failed_.load(std::memory_order_acquire);
  if (!status.ok) status.message = failure_;
  status.cycles = cycles_.load(std::memory_order_relaxed);
  status.events = event_count_.load(std::memory_order_relaxed);
  status.dropped_cycles = dropped_cycles_.load(std::memory_order_relaxed);
  status.dropped_events = dropped_events_.load(std::memory_order_relaxed);
  return status;
}

RobotLogStatus RobotLog::close() {
  if (closed_) return status();
  closed_ = true;
  push_events();
  if (thread_.joinable()) {
    stop_.store(true, std::memory_order_release);
    thread_.join();
  }
  dropped_events_.fetch_add(events_.lost(), std::memory_order_relaxed);
  writer_->close(status());
  return status();
}

}  // namespace jointrig::harness
