#pragma once
/// Makes a whole, indexed log of one that was cut off: by a kill, a full disk, a copy that stopped.

#include <cstdint>
#include <string>

namespace jointrig::harness {

struct RecoverReport {
  bool was_whole = false;            ///< nothing was amiss, and nothing written
  std::string output;                ///< path of the new log
  std::uint64_t chunks = 0;          ///< kept whole
  std::uint64_t messages = 0;        ///< kept, those of a cut chunk included
  std::uint64_t salvaged = 0;        ///< of them, from a chunk that was cut off
  std::uint64_t damaged_chunks = 0;  ///< dropped: their CRC doesn't fit
  std::uint64_t dropped_bytes = 0;   ///< at the end of the file, not understood
  std::int64_t last_time_ns = 0;     ///< of the last message kept

  /// For a terminal: what was kept and what was lost.
  std::string sentence() const;
};

/// @param output  where the new log goes; empty: beside the old, run.mcap -> run.recovered.mcap.
///                The old one is only read.
/// Keeps every chunk that is there, every message of a chunk that was cut, all attachments and
/// metadata. Throws LogFileError if the file is no MCAP log or the new one can't be written.
RecoverReport recover_mcap(const std::string& path, const std::string& output = "");

}  // namespace jointrig::harness
