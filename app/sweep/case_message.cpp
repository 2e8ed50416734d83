#include "app/sweep/case_message.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace jointrig::app {
namespace {

using Json = nlohmann::json;

/// One line; what is no UTF-8, as in a path, is replaced.
std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json parsed(const std::string& line) {
  Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) throw std::runtime_error("this is no message of a sweep: " + line);
  return json;
}

CaseEnd end_of(const Json& json) {
  CaseEnd end;
  end.hash = json.at("hash");
  end.outcome = json.at("outcome");
  end.reason = json.value("reason", "");
  end.wall_time = json.value("wall_time", 0.0);
  end.is_whole = json.value("is_whole", false);
  end.lines = json.value("lines", std::vector<std::string>{});
  return end;
}

}  // namespace

std::string to_line(const CaseOrder& order) {
  Json json{{"hash", order.hash},
            {"settings", order.settings},
            {"part", order.part.generic_string()},
            {"home", order.home.generic_string()}};
  if (order.seed) json["seed"] = *order.seed;
  return line_of(json);
}

CaseOrder order_of(const std::string& line) {
  const Json json = parsed(line);
  CaseOrder order;
  try {
    order.hash = json.at("hash");
    order.settings = json.at("settings").get<std::vector<std::string>>();
    order.part = json.at("part").get<std::string>();
    order.home = json.at("home").get<std::string>();
    if (json.contains("seed")) order.seed = json.at("seed").get<std::uint64_t>();
  } catch (const Json::exception& error) {
    throw std::runtime_error("this is no case of a sweep (" + std::string(error.what()) +
                             "): " + line);
  }
  return order;
}

std::string to_line(const CaseEnd& end) {
  return line_of({{"end",
                   {{"hash", end.hash},
                    {"outcome", end.outcome},
                    {"reason", end.reason},
                    {"wall_time", end.wall_time},
                    {"is_whole", end.is_whole},
                    {"lines", end.lines}}}});
}

EngineWord word_of(const std::string& line) {
  const Json json = parsed(line);
  EngineWord word;
  try {
    if (json.contains("end")) {
      word.kind = EngineWord::Kind::kEnd;
      word.end = end_of(json.at("end"));
    } else if (json.contains("broken")) {
      word.kind = EngineWord::Kind::kBroken;
      word.text = json.at("broken");
    } else if (json.contains("status")) {
      word.kind = EngineWord::Kind::kStatus;
      word.text = json.at("status");
    } else {
      word.text = json.at("note");
    }
  } catch (const Json::exception& error) {
    throw std::runtime_error("this is no message of an engine (" + std::string(error.what()) +
                             "): " + line);
  }
  return word;
}

}  // namespace jointrig::app
