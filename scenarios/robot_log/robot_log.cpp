#include "scenarios/robot_log/robot_log.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>

#include "scenarios/robot_log/log_messages.h"
#include "scenarios/robot_log/log_record.h"
#include "scenarios/robot_log/log_writer.h"

namespace jointrig {
namespace {

using std::chrono::microseconds;

/// How often the writer looks for work. The ring holds far more than comes in that time, and
/// waking it from the loop would be a system call there.
constexpr microseconds kWriterRest{2000};
/// How long the loop sleeps when the ring is full: the writer frees some hundred cycles meanwhile.
constexpr microseconds kLoopRest{100};

std::size_t count_values(const std::vector<LoggedTruth>& truth) {
  std::size_t values = 0;
  for (const LoggedTruth& one : truth) values += one.values();
  return values;
}

std::size_t ring_bytes(const RobotConfig& config, const RobotLogOptions& options) {
  const double seconds = options.wait_when_full ? 0.25 : 0.5;
  const std::size_t cycles = options.ring_cycles != 0
                                 ? options.ring_cycles
                                 : static_cast<std::size_t>(seconds / to_seconds(config.period_ns));
  const std::size_t truth = count_values(options.truth);
  const std::size_t cycle = cycle_record_size(config.joints.size(), 0, truth);
  // At least four of the largest records, so that a cycle with all its events always fits.
  return std::max(cycles * cycle, 4 * cycle_record_size(kMaxJoints, kMaxJoints, truth));
}

/// The thread inherits the loop's scheduling where that is real-time: it must not compete with it.
void leave_real_time() noexcept {
  const sched_param ordinary{};
  pthread_setschedparam(pthread_self(), SCHED_OTHER, &ordinary);
}

template <typename T>
std::byte* put(std::byte* at, const T& value) noexcept {
  std::memcpy(at, &value, sizeof(T));
  return at + sizeof(T);
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
      ring_(ring_bytes(config, options_)),
      truth_values_(options_.read_truth ? count_values(options_.truth) : 0),
      event_reserve_(ring_.capacity() / 8) {
  options_.file.on_failure = [this](const std::string& sentence) {
    failure_ = sentence;
    failed_.store(true, std::memory_order_release);
  };
  writer_ = std::make_unique<LogWriter>(path, config, inbox, options_);
  thread_ = std::thread([this] { run(*writer_); });
}

RobotLog::~RobotLog() { close(); }

std::byte* RobotLog::reserve(std::size_t size, std::size_t keep_free) noexcept {
  std::byte* at = ring_.reserve(size, keep_free);
  while (at == nullptr && options_.wait_when_full) {
    std::this_thread::sleep_for(kLoopRest);
    at = ring_.reserve(size, keep_free);
  }
  return at;
}

bool RobotLog::push(const Snapshot& snapshot, const RobotState& state) noexcept {
  push_events();
  const std::size_t joints = snapshot.joints.size();
  const std::size_t sensed = std::min(joints, state.joints.size());
  JointSet differs;
  for (std::size_t i = 0; i < sensed; ++i) {
    if (!same_bits(snapshot.joints[i].state, state.joints[i])) differs.set(i);
  }
  const std::size_t raw = differs.count();
  std::byte* at = reserve(cycle_record_size(joints, raw, truth_values_), event_reserve_);
  if (at == nullptr) {
    dropped_cycles_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  at = put(at, LogRecordHead{LogRecordKind::kCycle, static_cast<std::uint32_t>(joints),
                             static_cast<std::uint32_t>(raw),
                             static_cast<std::uint32_t>(truth_values_)});
  auto* cycle = new (at) CycleRecord;
  cycle->cycle = snapshot.cycle;
  cycle->time_ns = snapshot.time_ns;
  cycle->overruns = snapshot.overruns;
  cycle->dropped = dropped_cycles_.load(std::memory_order_relaxed);
  cycle->times = snapshot.times;
  cycle->base = state.base;
  cycle->force_torque = state.force_torque;
  cycle->imus = state.imus;
  at += sizeof(CycleRecord);
  std::memcpy(at, snapshot.joints.data(), joints * sizeof(JointSnapshot));
  at += joints * sizeof(JointSnapshot);
  for (std::size_t i = 0; raw != 0 && i < sensed; ++i) {
    if (differs.test(i)) at = put(at, RawJoint{i, state.joints[i]});
  }
  if (truth_values_ != 0) {
    options_.read_truth(std::span(reinterpret_cast<double*>(at), truth_values_));
  }
  ring_.commit();
  cycles_.store(cycles_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return true;
}

void RobotLog::push_events() noexcept {
  Event event;
  while (events_.next(event)) {
    std::byte* at = reserve(sizeof(LogRecordHead) + sizeof(Event), 0);
    if (at == nullptr) {
      dropped_events_.fetch_add(1, std::memory_order_relaxed);
      continue;
    }
    put(put(at, LogRecordHead{LogRecordKind::kEvent, 0, 0, 0}), event);
    ring_.commit();
    event_count_.fetch_add(1, std::memory_order_relaxed);
  }
}

bool RobotLog::append(const Command& command, std::uint64_t cycle, TimeNs time_ns) noexcept {
  std::byte* at = reserve(sizeof(LogRecordHead) + sizeof(CommandRecord), 0);
  if (at == nullptr) {
    dropped_events_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  at = put(at, LogRecordHead{LogRecordKind::kCommand, 0, 0, 0});
  new (at) CommandRecord{cycle, time_ns, command};
  ring_.commit();
  return true;
}

void RobotLog::run(LogWriter& writer) noexcept {
  leave_real_time();
  for (;;) {
    const bool last_round = stop_.load(std::memory_order_acquire);
    for (auto record = ring_.front(); !record.empty(); record = ring_.front()) {
      writer.write(record);
      ring_.pop();
    }
    if (last_round) return;
    writer.poll();
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
  if (thread_.joinable()) {
    push_events();
    stop_.store(true, std::memory_order_release);
    thread_.join();
    dropped_events_.fetch_add(events_.lost(), std::memory_order_relaxed);
    writer_->close(status());
  }
  return status();
}

}  // namespace jointrig
