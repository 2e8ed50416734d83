#pragma once
/// Makes a whole, indexed log from one that was cut off: by a kill, a full disk, an interrupted
/// copy.

#include <cstdint>
#include <string>

namespace jointrig::harness {

struct RecoverReport {
  bool was_whole = false;            ///< the log is sound, and nothing was written
  std::string output;                ///< path of the new log
  std::uint64_t chunks = 0;          ///< kept whole
  std::uint64_t messages = 0;        ///< kept, with those of a cut chunk
  std::uint64_t salvaged = 0;        ///< part of them from a cut chunk
  std::uint64_t damaged_chunks = 0;  ///< dropped: wrong CRC
  std::uint64_t dropped_bytes = 0;   ///< unreadable bytes at the end of the file
  std::int64_t last_time_ns = 0;     ///< time of the last kept message

  /// Sentence for a terminal: kept and lost parts.
  std::string sentence() const;
};

/// @param output path of the new log; empty: beside the old one, run.mcap -> run.recovered.mcap.
///                The old one is only read.
/// Keeps every whole chunk, every message of a cut chunk, all attachments and metadata. Throws
/// LogFileError if the file is no MCAP log or the new one can't be written.
RecoverReport recover_mcap(const std::string& path, const std::string& output = "");

}  // namespace jointrig::harness
