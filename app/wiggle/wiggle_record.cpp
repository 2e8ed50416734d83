#include "app/wiggle/wiggle_record.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "app/text_hash.h"
#include "app/user_path.h"
#include "harness/config/robot_file.h"
#include "harness/config/whole_file.h"

namespace jointrig::app {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(path.string() + " can't be read");
  return text.str();
}

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

/// The record; empty if there is none, or none that can be read.
Json record_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  Json record = Json::parse(file, nullptr, false);
  const bool is_one =
      record.is_object() && record.contains("joints") && record["joints"].is_object();
  return is_one ? record : Json{{"joints", Json::object()}};
}

bool has_passed(const Json& record, const std::string& joint) {
  const Json& joints = record["joints"];
  return joints.contains(joint) && joints[joint].is_object() &&
         joints[joint].value("finding", "") == to_string(WiggleFinding::kPassed);
}

}  // namespace

std::uint64_t wiggle_configuration(const RobotConfig& robot) {
  RobotConfig told;
  told.name = robot.name;
  told.model_path = "model";
  told.buses = robot.buses;
  for (const JointConfig& joint : robot.joints) {
    JointConfig& bare = told.joints.emplace_back();
    bare.name = joint.name;
    bare.slide = joint.slide;
    bare.drive = joint.drive;
  }
  return hash_of(harness::to_yaml(told) + text_of(robot.model_path));
}

std::filesystem::path wiggle_record_path(const RobotConfig& robot) {
  return state_path("wiggle/" + robot.name + "-" + hex(wiggle_configuration(robot)) + ".json");
}

std::vector<JointIndex> not_wiggled(const RobotConfig& robot) {
  const Json record = record_of(wiggle_record_path(robot));
  std::vector<JointIndex> left;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (robot.elsewhere.test(i)) continue;
    if (!has_passed(record, robot.joints[i].name)) left.push_back(static_cast<JointIndex>(i));
  }
  return left;
}

void remember_wiggles(const RobotConfig& robot, std::span<const WiggleVerdict> verdicts) {
  const std::filesystem::path path = wiggle_record_path(robot);
  if (path.empty()) {
    throw std::runtime_error("the result can't be kept: neither XDG_STATE_HOME nor HOME is set");
  }
  Json record = record_of(path);
  record["robot"] = robot.name;
  record["configuration"] = hex(wiggle_configuration(robot));
  for (const WiggleVerdict& verdict : verdicts) {
    Json& joint = record["joints"][robot.joints[verdict.joint].name];
    joint = {{"finding", to_string(verdict.finding)},
             {"time", now_text()},
             {"asked", verdict.asked},
             {"reported", verdict.reported},
             {"torque", verdict.torque},
             {"gravity", verdict.gravity}};
    if (!verdict.sentence.empty()) joint["sentence"] = verdict.sentence;
  }
  std::error_code none;
  std::filesystem::create_directories(path.parent_path(), none);
  harness::write_whole_file(path, record.dump(2) + "\n", harness::WholeFile::Keep::kDurable);
}

std::string why_not_wiggled(const RobotConfig& robot) {
  const std::vector<JointIndex> left = not_wiggled(robot);
  if (left.empty()) return {};
  const std::string who =
      left.size() == robot.joints.size()
          ? std::string("no joint")
          : "of " + robot.joints[left.front()].name + (left.size() == 1 ? "" : " and others, none");
  return who + " of " + robot.name +
         " has passed the wiggle test with these buses, drives and joints: is each drive the joint "
         "it is taken for, and does it go the right way? Run `jointrig wiggle " +
         robot.name + "` first, or start with --no-wiggle-check";
}

}  // namespace jointrig::app
