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
#include "scenarios/record/mcap_writer.h"
#include "scenarios/robot_log/record_ring.h"

namespace jointrig {

/// A file kept inside the log.
struct LogAttachment {
  std::string name;  ///< "robot.yaml"
  std::string media_type;
  std::string text;
};

/// Something true of the simulated world, logged each cycle beside what the robot senses.
struct LoggedTruth {
  enum class Kind : std::uint8_t { kJoint, kPoint, kContact };
  Kind kind = Kind::kJoint;
  std::string topic;   ///< "/truth/elbow", "/body/hand"
  bool slide = false;  ///< of a joint: units are m and N

  /// q, v, tau of a joint; x, y, z of a point; the force of a contact.
  [[nodiscard]] std::size_t values() const noexcept { return kind == Kind::kContact ? 1 : 3; }
};

struct RobotLogOptions {
  /// What happens when the writer can't keep up. Headless: the loop waits, so that nothing is lost.
  /// Real time: the loop never waits; what doesn't fit is dropped and counted.
  bool wait_when_full = true;
  /// Cycles that can wait for the writer; 0: a quarter of a second of the robot's time, in real
  /// time half a one.
  std::size_t ring_cycles = 0;
  McapOptions file = default_file_options();
  /// Metadata "run": scenario, model hash, versions, seed, whatever tells one run from another.
  StringMap run = {};
  std::vector<LogAttachment> attachments = {};
  std::vector<LoggedTruth> truth = {};
  /// Fills in the values of `truth`, in its order. Called by push(): allocates nothing, never
  /// throws.
  std::function<void(std::span<double>)> read_truth = {};

  static McapOptions default_file_options();
};

struct RobotLogStatus {
  bool ok = true;
  std::string message;               ///< a sentence when the file failed; empty while ok
  std::uint64_t cycles = 0;          ///< handed to the writer
  std::uint64_t events = 0;          ///< handed to the writer
  std::uint64_t dropped_cycles = 0;  ///< real time only
  std::uint64_t dropped_events = 0;  ///< real time only, commands included
};

/// Logs a run: every cycle, event and command, in order, into one MCAP file (docs/logging.md has
/// the channels). The loop's thread puts plain records into a ring; a thread of its own encodes,
/// compresses and writes them.
///
///     RobotLog log("run.mcap", stack.config(), stack.events(), stack.inbox());
///     while (loop.step()) log.push(stack.snapshot(), loop.state());
///     const RobotLogStatus status = log.close();
///
/// push() allocates nothing, locks nothing and makes no system call, except that with
/// wait_when_full it sleeps while the ring is full. A disk that is full ends the log, never the
/// run: status() then has the sentence.
class RobotLog {
 public:
  /// Creates the file and starts the thread. Logs events from the next one on. The ring of events
  /// and the inbox (for the senders' names) outlive the log. Throws std::runtime_error when the
  /// file can't be created.
  RobotLog(const std::string& path, const RobotConfig& config, const EventRing& events,
           const CommandInbox& inbox, RobotLogOptions options = {});
  ~RobotLog();
  RobotLog(const RobotLog&) = delete;
  RobotLog& operator=(const RobotLog&) = delete;

  /// The cycle that just ended, and the events since the last call. False when it was dropped.
  /// The loop's thread only.
  /// @param state  as the backend gave it: what the snapshot changed of it is logged beside
  bool push(const Snapshot& snapshot, const RobotState& state) noexcept;

  /// A command that the loop drained in this cycle, accepted or not. The loop's thread only, before
  /// that cycle's push().
  bool append(const Command& command, std::uint64_t cycle, TimeNs time_ns) noexcept;

  /// Any thread.
  [[nodiscard]] RobotLogStatus status() const;

  /// Writes what waits and the index, and ends the thread. The loop's thread.
  RobotLogStatus close();

 private:
  void push_events() noexcept;
  std::byte* reserve(std::size_t size, std::size_t keep_free) noexcept;
  void run(class LogWriter& writer) noexcept;

  RobotLogOptions options_;
  EventRing::Reader events_;
  RecordRing ring_;
  std::size_t truth_values_ = 0;
  std::size_t event_reserve_;  ///< of the ring, for events when cycles no longer fit

  std::atomic<std::uint64_t> cycles_{0};
  std::atomic<std::uint64_t> event_count_{0};
  std::atomic<std::uint64_t> dropped_cycles_{0};
  std::atomic<std::uint64_t> dropped_events_{0};
  std::atomic<bool> stop_{false};
  std::atomic<bool> failed_{false};
  std::string failure_;  ///< set once, before failed_

  std::unique_ptr<class LogWriter> writer_;
  std::thread thread_;
};

}  // namespace jointrig
