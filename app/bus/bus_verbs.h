#pragma once
/// `jointrig bus scan | monitor | sdo | nmt | profile`: watch a bus and talk to its nodes by hand.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jointrig::app {

struct ScanOptions {
  std::string bus;
};

struct MonitorOptions {
  std::string bus;
  double seconds = 0.0;  ///< 0: until it is interrupted
  std::string candump;   ///< also written to this file
  bool raw = false;      ///< bytes in place of words
  bool lines = false;    ///< on a terminal, too
  std::optional<std::int64_t> bit_rate;
};

struct SdoOptions {
  std::string bus;
  std::string node;                  ///< a number or a joint's name
  std::vector<std::string> objects;  ///< OBJECT to read, OBJECT=VALUE to write
  std::string eds;                   ///< empty: the project's joint board
  std::string type;                  ///< type of objects that are not in an EDS
  bool all = false;
};

struct NmtOptions {
  std::string bus;
  std::string order;
  std::string node;  ///< a number, a joint's name or "all"
  bool yes = false;
};

struct ProfileOptions {
  std::string bus;
  std::string node;  ///< a number or a joint's name
};

/// Each returns the exit code: 0, or 1 for a problem or a refusal; throws with a sentence if it
/// can't run.
int scan_verb(const ScanOptions& options);
int monitor_verb(const MonitorOptions& options);
int sdo_verb(const SdoOptions& options);
int nmt_verb(const NmtOptions& options);
int profile_verb(const ProfileOptions& options);

}  // namespace jointrig::app
