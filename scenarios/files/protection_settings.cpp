#include "scenarios/files/protection_settings.h"

#include "scenarios/files/apply_settings.h"
#include "scenarios/files/units.h"

namespace jointrig {

void apply_protection(const YamlNode& keys, RobotConfig& config) {
  if (const YamlNode* node = keys.find("collision_avoidance")) {
    if (!config.avoidance) config.avoidance.emplace();
    CollisionAvoidanceConfig& avoidance = *config.avoidance;
    if (const YamlNode* on = node->find("on")) avoidance.on = on->boolean();
    for (const AvoidanceNumber& number : kAvoidanceNumbers) {
      const YamlNode* value = node->find(number.key);
      if (value != nullptr) avoidance.*number.field = quantity(*value, number.units);
    }
    if (const YamlNode* pairs = node->find("exclude")) {
      avoidance.exclude.clear();
      for (const YamlNode& pair : pairs->items()) {
        avoidance.exclude.push_back(
            {pair.items()[0].text(), pair.items()[1].text(), {to_string(pair.spot())}});
      }
    }
  }
  if (const YamlNode* node = keys.find("collision_detection")) {
    if (!config.detection) config.detection.emplace();
    CollisionDetectionConfig& detection = *config.detection;
    if (const YamlNode* on = node->find("on")) detection.on = on->boolean();
    for (const DetectionNumber& number : kDetectionNumbers) {
      const YamlNode* value = node->find(number.key);
      if (value != nullptr) detection.*number.field = quantity(*value, number.units);
    }
  }
}

}  // namespace jointrig
