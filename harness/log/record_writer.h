#pragma once

#include "harness/log/log_record.h"

namespace jointrig::harness {

struct RobotLogStatus;

/// Takes the records of a run in the order of the loop. One thread, except for close().
class RecordWriter {
 public:
  RecordWriter() = default;
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;
  virtual ~RecordWriter() = default;

  virtual void write(const LoggedCycle& cycle) noexcept = 0;
  virtual void write(const Event& event) noexcept = 0;
  virtual void write(const LoggedCommand& command) noexcept = 0;
  /// Nothing more is waiting for now; each 2 ms or so.
  virtual void poll() noexcept = 0;
  /// The run is over.
  virtual void close(const RobotLogStatus& status) = 0;
};

}  // namespace jointrig::harness
