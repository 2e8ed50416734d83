#pragma once
/// `jointrig sweep`, as its command line has it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace jointrig::app {

struct SweepOptions {
  std::string what;  ///< a sweep's file, or a scenario
  std::vector<std::string> vary;
  std::vector<std::string> settings;
  std::string method;
  std::size_t samples = 0;
  std::optional<std::uint64_t> seed;
  std::optional<std::size_t> seeds;
  std::vector<std::string> measures;
  std::string backend;
  std::string robot;
  std::optional<int> jobs;
  std::string shard;
  std::string logs = "failed";
  std::filesystem::path out;    ///< empty: runs/sweep-<name>
  std::filesystem::path cases;  ///< empty: cases beside it
  std::string objective;
  std::string direction;
  std::size_t batch = 0;
  std::string engine = "local";
  int tasks = 0;                           ///< of Slurm's array
  std::vector<std::string> slurm_options;  ///< of sbatch
  bool dry_run = false;
  std::string address;  ///< of a Ray cluster
  bool list = false;
  bool worker = false;  ///< for an engine's process
  bool verbose = false;
};

/// Runs what the options ask for. Throws what ends it.
/// @return the exit code
int sweep(SweepOptions options);

}  // namespace jointrig::app
