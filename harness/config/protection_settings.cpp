#include "harness/config/protection_settings.h"

#include "harness/config/apply_settings.h"
#include "harness/config/units.h"

namespace jointrig::harness {

void apply_protection(const YamlNode& keys, RobotConfig& config) {
  if (!config.arms.empty()) protect_arms(config);
  if (const YamlNode* node = keys.find("collision_avoidance")) {
    if (!config.avoidance) config.avoidance.emplace();
    CollisionAvoidanceConfig& avoidance = *config.avoidance;
    if (const YamlNode* on = node->find("on")) avoidance.on = on->boolean();
    read_numbers(*node, kAvoidanceNumbers, avoidance);
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
    if (const YamlNode* every = node->find("when_yielding")) {
      detection.when_yielding = every->boolean();
    }
    read_numbers(*node, kDetectionNumbers, detection);
  }
}

}  // namespace jointrig::harness
