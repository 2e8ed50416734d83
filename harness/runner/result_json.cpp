#include "harness/runner/result_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace jointrig::harness {
namespace {

using Json = nlohmann::ordered_json;

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json json_number(const std::optional<double>& value) {
  return value ? json_number(*value) : Json(nullptr);
}

Json json_of(const Verdict& verdict) {
  Json json;
  json["kind"] = to_string(verdict.kind);
  json["status"] = to_string(verdict.status);
  if (!verdict.phase.empty()) json["phase"] = verdict.phase;
  json["name"] = verdict.name;
  json["place"] = verdict.place;
  json["expected"] = verdict.expected;
  json["got"] = verdict.got;
  if (!verdict.more.empty()) json["more"] = verdict.more;
  json["at"] = json_number(verdict.at);
  if (verdict.kind == VerdictKind::kStep) json["since"] = json_number(verdict.since);
  if (verdict.margin) {
    json["margin"] = json_number(*verdict.margin);
    json["margin_at"] = json_number(verdict.margin_at);
  }
  if (verdict.kind == VerdictKind::kMetric) {
    json["value"] = json_number(verdict.value);
    json["min"] = json_number(verdict.least);
    json["max"] = json_number(verdict.most);
  }
  if (!verdict.unit.empty()) json["unit"] = verdict.unit;
  return json;
}

Json json_of(const Result& result) {
  Json json;
  json["scenario"] = result.scenario;
  json["family"] = result.family;
  json["variation"] = result.variation;
  json["file"] = result.file;
  json["about"] = result.about;
  json["tags"] = result.tags;
  json["backend"] = result.backend;
  json["outcome"] = to_string(result.outcome);
  json["exit_code"] = exit_code(result.outcome);
  json["reason"] = result.reason;
  if (!result.expected_failure.empty()) json["xfail"] = result.expected_failure;
  json["sim_time"] = json_number(result.sim_time);
  json["wall_time"] = json_number(result.wall_time);
  json["cycles"] = result.cycles;
  json["cycles_missed"] = result.cycles_missed;
  json["events_missed"] = result.events_missed;
  json["state_hash"] = result.state_hash;
  json["properties"] = result.properties;
  json["notes"] = result.notes;
  json["first_failure"] = nullptr;
  if (const auto& first = result.first_failure) {
    json["first_failure"] = {{"time", json_number(first->time)},
                             {"name", first->name},
                             {"expected", first->expected},
                             {"got", first->got}};
  }
  json["verdicts"] = Json::array();
  for (const Verdict& verdict : result.verdicts) json["verdicts"].push_back(json_of(verdict));
  json["marks"] = Json::array();
  for (const MarkRecord& mark : result.marks) {
    json["marks"].push_back({{"name", mark.name}, {"time", json_number(mark.time)}});
  }
  json["events"] = Json::array();
  for (const EventRecord& event : result.events) {
    json["events"].push_back({{"time", json_number(event.time)},
                              {"cycle", event.cycle},
                              {"kind", event.kind},
                              {"joint", event.joint},
                              {"sentence", event.sentence}});
  }
  json["limits"] = Json::array();
  for (const LimitRecord& limit : result.limits) {
    json["limits"].push_back(
        {{"joint", limit.joint}, {"limit", limit.limit}, {"cycles", limit.cycles}});
  }
  json["events_left_out"] = result.events_left_out;
  return json;
}

}  // namespace

std::string to_json(std::span<const Result> results) {
  std::vector<Outcome> outcomes;
  for (const Result& result : results) outcomes.push_back(result.outcome);
  Json json;
  json["schema"] = 1;
  json["exit_code"] = exit_code(outcomes);
  json["scenarios"] = Json::array();
  for (const Result& result : results) json["scenarios"].push_back(json_of(result));
  // Invalid UTF-8 comes from names in files: it becomes replacement characters, never an exception.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace jointrig::harness
