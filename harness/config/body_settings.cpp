// Settings of the whole-body controller.

#include "harness/config/body_settings.h"

#include <algorithm>

#include "harness/config/apply_settings.h"

namespace jointrig::harness {
namespace {

FootConfig foot_of(const YamlNode::Entry& entry) {
  FootConfig foot;
  foot.name = entry.key;
  foot.frame = entry.value.find("frame")->text();
  if (const YamlNode* centre = entry.value.find("centre")) {
    for (std::size_t i = 0; i < 3; ++i) foot.centre[i] = quantity(centre->items()[i], "m");
  }
  const YamlNode& size = *entry.value.find("size");
  for (std::size_t i = 0; i < 2; ++i) foot.size[i] = quantity(size.items()[i], "m");
  if (const YamlNode* sensor = entry.value.find("force_sensor")) {
    read_force_sensor(*sensor, foot.force_sensor);
  }
  return foot;
}

void read_imu(const YamlNode& keys, ImuConfig& imu) {
  imu = {};
  imu.site = keys.find("site")->text();
  read_numbers(keys, kImuNumbers, imu);
  read_threes(keys, kImuThrees, imu);
  if (const YamlNode* device = keys.find("device")) read_device(*device, imu.device);
}

/// Grippers by the names of the hands whose fingers they are.
void read_fingers(const YamlNode& keys, std::vector<HandConfig>& hands) {
  for (const YamlNode::Entry& entry : keys.entries()) {
    const auto hand = std::find_if(hands.begin(), hands.end(),
                                   [&](const HandConfig& one) { return one.name == entry.key; });
    if (hand == hands.end()) {
      throw FileError(keys.key_spot(entry.key),
                      "there is no hand \"" + entry.key + "\" in whole_body.hands; name it there");
    }
    hand->gripper = entry.value.text();
  }
}

}  // namespace

void apply_whole_body(const YamlNode& keys, RobotConfig& config) {
  if (!config.whole_body) config.whole_body.emplace();
  WholeBodyConfig& body = *config.whole_body;
  if (body.place.empty()) body.place = to_string(keys.spot());
  if (const YamlNode* feet = keys.find("feet")) {
    body.feet.clear();
    for (const YamlNode::Entry& entry : feet->entries()) body.feet.push_back(foot_of(entry));
  }
  if (const YamlNode* upright = keys.find("upright")) {
    body.upright.clear();
    for (const YamlNode& frame : upright->items()) body.upright.push_back(frame.text());
  }
  if (const YamlNode* hands = keys.find("hands")) {
    body.hands.clear();
    for (const YamlNode::Entry& hand : hands->entries()) {
      body.hands.push_back({hand.key, hand.value.text(), {}, {}});
    }
  }
  if (const YamlNode* fingers = keys.find("fingers")) read_fingers(*fingers, body.hands);
  if (const YamlNode* chest = keys.find("chest")) body.chest = chest->text();
  if (const YamlNode* head = keys.find("head")) body.head = head->text();
  if (const YamlNode* pelvis = keys.find("pelvis")) body.pelvis = pelvis->text();
  if (const YamlNode* imu = keys.find("imu")) read_imu(*imu, body.imu);
  if (const YamlNode* mode = keys.find("mode")) parse(mode->text(), body.mode);
  read_numbers(keys, kBodyNumbers, body);
  if (const YamlNode* n = keys.find("iterations")) body.iterations = static_cast<int>(n->integer());
  if (const YamlNode* n = keys.find("attempts")) body.attempts = static_cast<int>(n->integer());
}

}  // namespace jointrig::harness
