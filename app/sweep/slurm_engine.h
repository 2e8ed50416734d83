#pragma once
/// Cases as an array of Slurm, whose tasks are shards of the sweep (`--shard`); their folders are
/// shared with the nodes. By the commands sbatch, squeue and scancel.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace jointrig::app {

struct SlurmOptions {
  int tasks = 1;                     ///< of the array
  int jobs = 1;                      ///< cases side by side in a task
  std::vector<std::string> options;  ///< of sbatch, such as --partition=long
  std::string name;                  ///< of the job
  std::vector<std::string> command;  ///< that a task runs, without its shard
  std::filesystem::path folder;      ///< for the script, the number of the job and what tasks print
};

/// The script of the array, for sbatch.
std::string slurm_script(const SlurmOptions& options);

/// Submits the array, or goes on with the one that an earlier sweep has left at work, and waits
/// until it has ended. Once `interrupted` (app/interrupt.h) is set the array is cancelled. Throws
/// std::runtime_error where Slurm refuses, or is not there.
///
/// @param tell     lines for people
/// @param is_done  called about each second: true if every case is there
void run_by_slurm(const SlurmOptions& options, const std::function<void(const std::string&)>& tell,
                  const std::function<bool()>& is_done);

}  // namespace jointrig::app
