#include "harness/runner/judge_list.h"

#include <utility>

namespace jointrig::harness {

void JudgeList::bind(const Scenario& scenario, TimeNs period, const Binder& binder,
                     Problems& problems) {
  const auto add = [&](VerdictKind kind, const std::string& name, const SourceSpot& spot,
                       auto make) {
    problems.collect([&] {
      try {
        make();
      } catch (const TruthMissing&) {
        skipped_.push_back(
            skipped_verdict(kind, name, spot, "it needs the truth of a simulated world"));
      }
    });
  };
  for (const Assertion& one : scenario.always) {
    add(VerdictKind::kAlways, one.name, one.spot,
        [&] { judges_.push_back(make_always(one, binder)); });
  }
  for (const Assertion& one : scenario.never) {
    add(VerdictKind::kNever, one.name, one.spot,
        [&] { judges_.push_back(make_never(one, binder)); });
  }
  for (const Assertion& one : scenario.at_end) {
    add(VerdictKind::kAtEnd, one.name, one.spot,
        [&] { judges_.push_back(make_at_end(one, binder)); });
  }
  for (const WithinAssertion& one : scenario.within) {
    add(VerdictKind::kWithin, one.name, one.spot,
        [&] { judges_.push_back(make_within(one, binder)); });
  }
  const auto cycles = static_cast<std::size_t>(scenario.timeout_sim / to_seconds(period)) + 2;
  for (const MetricSpec& one : scenario.metrics) {
    add(VerdictKind::kMetric, one.name, one.spot, [&] {
      for (auto& judge : make_metrics(one, binder, cycles)) judges_.push_back(std::move(judge));
    });
  }
}

bool JudgeList::watch(const JudgeScene& scene, RunRecord& record) {
  bool pending = false;
  for (const auto& judge : judges_) {
    const bool had_failed = judge->failed();
    judge->watch(scene);
    pending = pending || judge->is_pending();
    if (!had_failed && judge->failed()) record.note_failure(scene.now, judge->verdict());
  }
  return pending;
}

void JudgeList::conclude(const JudgeScene& scene, bool complete, RunRecord& record) {
  if (std::exchange(concluded_, true)) return;
  for (const auto& judge : judges_) {
    const bool had_failed = judge->failed();
    judge->conclude(scene, complete);
    if (!had_failed && judge->failed()) record.note_failure(scene.now, judge->verdict());
    if (judge->failed()) record.worsen(Outcome::kFailed, judge->verdict());
  }
}

void JudgeList::break_off(const JudgeScene& scene) {
  if (std::exchange(concluded_, true)) return;
  for (const auto& judge : judges_) judge->conclude(scene, false);
}

void JudgeList::finish(Result& result) {
  for (const auto& judge : judges_) result.verdicts.push_back(judge->verdict());
  for (Verdict& verdict : skipped_) result.verdicts.push_back(std::move(verdict));
}

}  // namespace jointrig::harness
