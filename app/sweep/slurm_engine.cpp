#include "app/sweep/slurm_engine.h"

#include <fmt/core.h>

#include <chrono>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "app/interrupt.h"
#include "app/run/result_files.h"
#include "app/sweep/command_output.h"
#include "control/core/text.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

constexpr auto kLookEvery = std::chrono::seconds(1);
constexpr int kLooksBetweenQueues = 5;  // squeue costs the controller more than a look at folders

fs::path number_file(const SlurmOptions& options) { return options.folder / "slurm.job"; }

std::string needed(const std::vector<std::string>& command) {
  const CommandOutput done = output_of(command);
  if (done.code == kNoSuchCommand) {
    throw std::runtime_error(fmt::format(
        "the engine slurm needs Slurm's command {}, which is not on the PATH (Debian has it in "
        "slurm-client)",
        command.front()));
  }
  if (done.code != 0) {
    throw std::runtime_error(command.front() + ": " + std::string(trimmed(done.text)));
  }
  return std::string(trimmed(done.text));
}

/// True while a task of the array waits or runs; a controller that does not answer is asked again.
bool is_at_work(const std::string& number) {
  const CommandOutput done = output_of({"squeue", "--noheader", "--jobs", number, "--format=%T"});
  if (done.code == 0) return !trimmed(done.text).empty();
  return done.text.find("Invalid job id") == std::string::npos && done.code != kNoSuchCommand;
}

/// Number of an array that an earlier sweep has submitted and that is still at work; else empty.
std::string left_at_work(const SlurmOptions& options) {
  std::ifstream in(number_file(options));
  std::string number;
  if (!(in >> number) || !is_at_work(number)) return "";
  return number;
}

std::string submitted(const SlurmOptions& options) {
  const fs::path script = options.folder / "slurm.sh";
  write_text(script, slurm_script(options));
  std::string number = needed({"sbatch", "--parsable", script.string()});
  number = number.substr(0, number.find(';'));  // then the cluster's name
  try {
    write_text(number_file(options), number + "\n");
  } catch (...) {  // an array that nobody finds again
    needed({"scancel", number});
    throw;
  }
  return number;
}

/// For a shell.
std::string in_quotes(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string slurm_script(const SlurmOptions& options) {
  std::string script = "#!/bin/bash\n";
  script += fmt::format("#SBATCH --job-name={}\n", folder_name(options.name));
  script += fmt::format("#SBATCH --array=1-{}\n", options.tasks);
  script += fmt::format("#SBATCH --cpus-per-task={}\n", options.jobs);
  script +=
      fmt::format("#SBATCH --output={}\n",
                  (fs::absolute(options.folder) / "slurm-%a.log").lexically_normal().string());
  script += "#SBATCH --requeue\n";
  for (const std::string& option : options.options) script += "#SBATCH " + option + "\n";
  script += "\ncd " + in_quotes(fs::current_path().string()) + " || exit 2\n";
  script += joined(options.command, " ", in_quotes);
  script +=
      fmt::format(" -j {} --shard \"$SLURM_ARRAY_TASK_ID/{}\"\n", options.jobs, options.tasks);
  // A case that fails is a result, and no failure of the task.
  script += "code=$?\n[ \"$code\" -eq 2 ] || [ \"$code\" -gt 125 ] || code=0\nexit \"$code\"\n";
  return script;
}

void run_by_slurm(const SlurmOptions& options, const std::function<void(const std::string&)>& tell,
                  const std::function<bool()>& is_done) {
  std::string number = left_at_work(options);
  if (number.empty()) {
    number = submitted(options);
    tell(fmt::format("array {} of {} tasks is submitted", number, options.tasks));
  } else {
    tell(fmt::format("array {} of an earlier sweep is still at work: waiting for it", number));
  }
  for (int look = 1; !interrupted.load(); ++look) {
    std::this_thread::sleep_for(kLookEvery);
    if (is_done()) break;
    if (look % kLooksBetweenQueues == 0 && !is_at_work(number)) break;
  }
  if (interrupted.load()) {
    needed({"scancel", number});
    tell(fmt::format("array {} is cancelled", number));
  }
  std::error_code ignored;  // an array that has ended is no longer at work
  fs::remove(number_file(options), ignored);
}

}  // namespace jointrig::app
