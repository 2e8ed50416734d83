#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/robot_io.h"
#include "control/core/snapshot.h"
#include "control/exchange/command_inbox.h"
#include "control/exchange/event_ring.h"
#include "harness/log/log_record.h"
#include "harness/log/mcap/mcap_writer.h"
#include "harness/log/record_ring.h"

namespace jointrig::harness {

class RecordWriter;

/// A file kept inside the log.
struct LogAttachment {
  std::string name;  ///< "robot.yaml"
  std::string media_type;
  std::string text;
};

/// A true value of the simulated world, logged in each cycle beside the robot's sensors.
struct LoggedTruth {
  enum class Kind : std::uint8_t { kJoint, kPoint, kContact };
  Kind kind = Kind::kJoint;
  std::string topic;   ///< "/truth/elbow", "/body/hand"
  bool slide = false;  ///< of a slide joint: units are m and N

  /// q, v, tau of a joint; x, y, z of a point; force of a contact.
  [[nodiscard]] std::size_t values() const noexcept { return kind == Kind::kContact ? 1 : 3; }
};

struct RobotLogOptions {
  /// True, for a loop in real time: the log's own thread encodes and writes, and push() never waits
  /// for it; records that don't fit are dropped and counted. False, for a headless run: push()
  /// encodes and writes, and nothing is dropped. That costs less in all, since no data moves
  /// between cores' caches and parallel jobs have a core each.
  bool own_thread = true;
  /// Capacity of the ring in cycles; 0: half a second of the robot's time.
  std::size_t ring_cycles = 0;
  McapOptions file = default_file_options();
  /// Metadata "run": scenario, model hash, versions, seed and other facts that identify the run.
  StringMap run = {};
  std::vector<LogAttachment> attachments = {};
  std::vector<LoggedTruth> truth = {};
  /// Fills in the values of `truth`, in its order. push() calls it: allocates nothing, never
  /// throws.
  std::function<void(std::span<double>)> read_truth = {};

  static McapOptions default_file_options();
};

struct RobotLogStatus {
  bool ok = true;
  std::string message;               ///< a sentence if the file failed; empty while ok
  std::uint64_t cycles = 0;          ///< passed to the writer
  std::uint64_t events = 0;          ///< passed to the writer
  std::uint64_t dropped_cycles = 0;  ///< only with a thread of its own
  std::uint64_t dropped_events = 0;  ///< with commands; only with a thread of its own
};

/// Logs a run: every cycle, event and command, in order, into one MCAP file (docs/logging.md has
/// the channels).
///
///     RobotLog log("run.mcap", stack.config(), stack.events(), stack.inbox());
///     while (loop.step()) log.push(stack.snapshot(), loop.state());
///     const RobotLogStatus status = log.close();
///
/// With a thread of its own, push() puts a plain record into a ring: it allocates nothing, locks
/// nothing and makes no system call. A disk that is full ends the log, never the run: status() then
/// has the sentence.
class RobotLog {
 public:
  /// Creates the file and starts the thread, if it has one. Logs events from the next one on. The
  /// event ring and the inbox (for the senders' names) outlive the log. Throws std::runtime_error
  /// when the file can't be created.
  RobotLog(const std::string& path, const RobotConfig& config, const EventRing& events,
           const CommandInbox& inbox, RobotLogOptions options = {});
  /// Hands the run to another writer than a file's, on a thread of its own: to viewers, say.
  RobotLog(std::unique_ptr<RecordWriter> writer, const RobotConfig& config,
           const EventRing& events);
  ~RobotLog();
  RobotLog(const RobotLog&) = delete;
  RobotLog& operator=(const RobotLog&) = delete;

  /// Logs the cycle that just ended, and the events since the last call. Returns false if it was
  /// dropped. The loop's thread only.
  /// @param state  the backend's state: values that the snapshot changed are logged beside it
  bool push(const Snapshot& snapshot, const RobotState& state) noexcept;

  /// Leaves out a cycle that nobody wants, with its events. The loop's thread only.
  void pass_over() noexcept;

  /// Logs a command that the loop drained in this cycle, accepted or not. The loop's thread only,
  /// before that cycle's push().
  bool append(const Command& command, std::uint64_t cycle, TimeNs time_ns) noexcept;

  /// Any thread.
  [[nodiscard]] RobotLogStatus status() const;

  /// Writes the remaining records and the index, and ends the thread. The loop's thread.
  RobotLogStatus close();

 private:
  void start_thread(const RobotConfig& config);
  void push_events() noexcept;
  void collect_raw(const Snapshot& snapshot, const RobotState& state) noexcept;
  template <typename Record>
  bool pass_on(const Record& record, std::size_t size, std::size_t keep_free) noexcept;
  void write_record(std::span<const std::byte> record) noexcept;
  void run() noexcept;

  RobotLogOptions options_;
  EventRing::Reader events_;
  std::unique_ptr<RecordRing> ring_;  ///< to the thread; none if push() writes
  std::size_t event_reserve_ = 0;     ///< part of the ring for events when cycles no longer fit
  TimeNs rest_due_ = 0;               ///< next time at which resting items are logged
  std::vector<RawJoint> raw_;         ///< of the present cycle
  std::vector<double> numbers_;       ///< of the present command
  std::vector<double> truth_;         ///< of the present cycle

  std::atomic<std::uint64_t> cycles_{0};
  std::atomic<std::uint64_t> event_count_{0};
  std::atomic<std::uint64_t> dropped_cycles_{0};
  std::atomic<std::uint64_t> dropped_events_{0};
  std::atomic<bool> stop_{false};
  std::atomic<bool> failed_{false};
  std::string failure_;  ///< set once, before failed_

  bool closed_ = false;

  std::unique_ptr<RecordWriter> writer_;
  std::thread thread_;
};

}  // namespace jointrig::harness
