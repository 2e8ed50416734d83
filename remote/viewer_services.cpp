#include "remote/viewer_services.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "harness/log/mcap/cdr.h"
#include "remote/command_message.h"
#include "remote/robot.pb.h"

namespace jointrig::remote {
namespace {

constexpr std::uint32_t kFirstCommand = 100;  ///< number of the service of the first command

/// Row of a request: a line of its definition, and values in its CDR.
struct RequestRow {
  std::string_view name;
  std::string_view type;  ///< string, float64, bool
  std::size_t count = 1;  ///< 0: a sequence
};

/// Grippers and obstacles go by their names, as on the wire.
bool is_name(const FieldInfo& info) {
  return info.range == Range::kGripper || info.range == Range::kObstacleName;
}

RequestRow row_of(const FieldInfo& info, bool is_per_joint) {
  RequestRow row{info.name, "float64", is_name(info) ? 1 : info.most};
  if (info.range == Range::kFlag) row.type = "bool";
  if (is_name(info) || !info.words.empty()) row.type = "string";
  if (is_per_joint || info.is_list) row.count = 0;
  return row;
}

bool has_joints(CommandKind kind) {
  return std::visit([]<typename C>(const C&) { return NamesJoints<C>; }, blank_request(kind));
}

std::vector<RequestRow> rows_of(CommandKind kind) {
  std::vector<RequestRow> rows;
  if (is_for_arm(kind)) rows.push_back({"arm", "string"});
  if (has_joints(kind)) rows.push_back({"joints", "string", 0});
  for (const FieldInfo& info : fields_of(kind)) rows.push_back(row_of(info, false));
  for (const FieldInfo& info : value_fields_of(kind)) rows.push_back(row_of(info, true));
  return rows;
}

/// False for commands to what the robot doesn't have.
bool can_take(CommandKind kind, const RobotConfig& robot) {
  if (is_for_arm(kind) && robot.arms.empty()) return false;
  const auto fields = fields_of(kind);
  return std::none_of(fields.begin(), fields.end(), [&](const FieldInfo& info) {
    return (info.range == Range::kGripper && robot.grippers.empty()) ||
           (info.range == Range::kLaw && robot.laws.empty()) ||
           (info.range == Range::kMessageId && !robot.whole_body);
  });
}

bool is_offered(CommandKind kind, const RobotConfig& robot) {
  return kind != CommandKind::kStop && kind != CommandKind::kFollowPlan && !is_streamed(kind) &&
         can_take(kind, robot);
}

std::string definition_of(CommandKind kind) {
  std::string text;
  for (const RequestRow& row : rows_of(kind)) {
    text += row.type;
    if (row.count == 0) text += "[]";
    if (row.count > 1) text += fmt::format("[{}]", row.count);
    text += fmt::format(" {}\n", row.name);
  }
  return text;
}

/// "SetMode" of "set_mode".
std::string type_name(std::string_view word) {
  std::string name;
  bool begins = true;
  for (const char letter : word) {
    if (letter != '_') {
      name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
    }
    begins = letter == '_';
  }
  return name;
}

nlohmann::json service_json(std::uint32_t id, std::string_view name, const std::string& type,
                            const std::string& request) {
  const auto schema = [&](const char* end, const std::string& definition) -> nlohmann::json {
    return {{"encoding", "cdr"},
            {"schemaName", type + end},
            {"schemaEncoding", "ros2msg"},
            {"schema", definition}};
  };
  return {{"id", id},
          {"name", fmt::format("/{}", name)},
          {"type", type},
          {"request", schema("_Request", request)},
          {"response", schema("_Response", kServiceResponse)}};
}

/// Reads one row; what isn't there ends as a message that is cut off.
void read_row(const RequestRow& row, harness::CdrReader& cdr, v1::Command& command) {
  const std::size_t count = row.count == 0 ? cdr.get<std::uint32_t>() : row.count;
  if (count > cdr.left()) throw std::invalid_argument(fmt::format("{} is cut off", row.name));
  const bool is_arm = row.name == "arm";
  const bool is_joints = row.name == "joints";
  v1::Field* const field = is_arm || is_joints ? nullptr : command.add_fields();
  if (field != nullptr) field->set_name(std::string(row.name));
  for (std::size_t i = 0; i < count; ++i) {
    if (row.type == "bool") {
      field->add_numbers(cdr.get<bool>() ? 1.0 : 0.0);
    } else if (row.type == "float64") {
      field->add_numbers(cdr.get<double>());
    } else {
      const std::string text(cdr.get_string());
      if (is_arm) {
        command.set_arm(text);
      } else {
        (is_joints ? command.add_joints() : field->add_words())->assign(text);
      }
    }
  }
  if (!cdr.ok()) throw std::invalid_argument(fmt::format("{} is cut off", row.name));
}

}  // namespace

bool has_service(std::uint32_t service, const RobotConfig& robot) {
  if (service >= kStopService && service <= kSaveService) return true;
  const std::uint32_t place = service - kFirstCommand;
  return service >= kFirstCommand && place < kAllCommandKind.size() &&
         is_offered(kAllCommandKind[place], robot);
}

std::string advertise_services(const RobotConfig& robot) {
  constexpr const char* kTrigger = "std_srvs/srv/Trigger";
  auto list =
      nlohmann::json::array({service_json(kStopService, "stop", kTrigger, ""),
                             service_json(kTakeService, "take_lease", kTrigger, ""),
                             service_json(kTakeOverService, "take_over_lease", kTrigger, ""),
                             service_json(kReleaseService, "release_lease", kTrigger, ""),
                             service_json(kSaveService, "save_parameters", kTrigger, "")});
  for (std::size_t i = 0; i < kAllCommandKind.size(); ++i) {
    const CommandKind kind = kAllCommandKind[i];
    if (!is_offered(kind, robot)) continue;
    const std::string_view word = to_string(kind);
    list.push_back(service_json(kFirstCommand + static_cast<std::uint32_t>(i), word,
                                "jointrig/srv/" + type_name(word), definition_of(kind)));
  }
  return nlohmann::json{{"op", "advertiseServices"}, {"services", std::move(list)}}.dump();
}

Request command_of(const ServiceWish& wish, const RobotConfig& robot) {
  const CommandKind kind = kAllCommandKind.at(wish.service - kFirstCommand);
  harness::CdrReader cdr(wish.request);
  v1::Command command;
  command.set_kind(std::string(to_string(kind)));
  try {
    if (!cdr.ok()) throw std::invalid_argument("the request is no CDR, little-endian");
    for (const RequestRow& row : rows_of(kind)) read_row(row, cdr, command);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", to_string(kind), error.what()));
  }
  return read_command(command, robot);
}

}  // namespace jointrig::remote
