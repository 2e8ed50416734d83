#include "python/scenario_runs.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "app/local_time.h"
#include "app/run/job_outputs.h"
#include "app/run/result_files.h"
#include "app/run/scenario_list.h"
#include "app/version.h"
#include "control/core/nearest_word.h"

namespace jointrig::python {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(50);

bool is_robots(const std::string& setting) { return setting.rfind(app::kRobotPrefix, 0) == 0; }

app::JobOptions options_of(const RunRequest& request, const harness::Scenario& scenario) {
  app::JobOptions options;
  options.backend = request.backend;
  options.robot = request.robot;
  options.seed = request.seed;
  options.connect = request.connect;
  for (const std::string& setting : request.settings) {
    if (is_robots(setting)) {
      options.robot_settings.push_back(setting.substr(app::kRobotPrefix.size()));
    }
  }
  if (!request.out.empty()) options.folder = request.out / app::folder_name(scenario.name);
  return options;
}

/// The threads of several runs, and what they share.
class Runs {
 public:
  Runs(const std::vector<harness::Scenario>& scenarios, const RunRequest& request)
      : scenarios_(&scenarios), request_(&request), results_(scenarios.size()) {}

  std::vector<app::JobResult> run(const std::function<bool()>& look) {
    std::vector<std::thread> workers;
    running_ = request_->jobs;
    for (int job = 0; job < request_->jobs; ++job) workers.emplace_back([this] { work(); });
    bool ended = false;
    while (!ended) {
      ended = wait_for_the_end();
      if (look()) interrupted_.store(true);
    }
    for (std::thread& worker : workers) worker.join();
    return std::move(results_);
  }

 private:
  void work() {
    for (;;) {
      const std::size_t i = next_.fetch_add(1);
      if (i >= scenarios_->size() || interrupted_.load()) break;
      app::JobOptions options = options_of(*request_, (*scenarios_)[i]);
      options.interrupted = &interrupted_;
      results_[i] = app::run_scenario((*scenarios_)[i], options);
    }
    const std::lock_guard lock(mutex_);
    --running_;
    ended_.notify_all();
  }
  bool wait_for_the_end() {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, kLookEvery, [this] { return running_ == 0; });
  }

  const std::vector<harness::Scenario>* scenarios_;
  const RunRequest* request_;
  std::vector<app::JobResult> results_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> interrupted_{false};
  std::mutex mutex_;
  std::condition_variable ended_;
  int running_ = 0;
};

}  // namespace

std::vector<harness::Scenario> scenarios_of(const RunRequest& request) {
  std::vector<std::string> settings;
  for (const std::string& setting : request.settings) {
    if (!is_robots(setting)) {
      settings.push_back(setting);
    } else if (request.connect) {
      throw std::invalid_argument("settings: " + setting +
                                  ": the robot that is served runs already: set it where it is "
                                  "served");
    }
  }
  std::vector<harness::Scenario> scenarios = app::find_scenarios(request.what, settings);
  if (request.only.empty()) return scenarios;
  std::vector<std::string> names;
  for (const harness::Scenario& scenario : scenarios) names.push_back(scenario.name);
  std::erase_if(scenarios, [&](const harness::Scenario& one) { return one.name != request.only; });
  if (!scenarios.empty()) return scenarios;
  throw std::invalid_argument("no scenario \"" + request.only + "\" there" +
                              did_you_mean(request.only, names));
}

std::vector<app::JobResult> run_all(const std::vector<harness::Scenario>& scenarios,
                                    const RunRequest& request, const std::function<bool()>& look) {
  if (request.jobs < 1) throw std::invalid_argument("jobs: at least 1");
  if (request.backend && request.jobs > 1 && !app::type_of(*request.backend).side_by_side) {
    throw std::invalid_argument("backend " + std::string(to_string(*request.backend)) +
                                " has one robot, and that can't do two things at once: jobs=1");
  }
  return Runs(scenarios, request).run(look);
}

void write_out(const std::vector<app::JobResult>& results, const std::filesystem::path& folder) {
  app::JobOutputs outputs(results);
  outputs.write_junit(folder / "junit.xml");
  outputs.write_json(folder / "result.json");
  harness::RunInfo info;
  info.date = app::local_time("%Y-%m-%d %H:%M");
  info.facts = {{"jointrig", std::string(app::kVersion)}};
  outputs.write_report(folder / "report.html", info);
  std::string failed;
  for (const std::string& failure : outputs.failures()) {
    failed += (failed.empty() ? "" : "\n") + failure;
  }
  if (!failed.empty()) throw std::runtime_error(failed);
}

}  // namespace jointrig::python
