#include "app/inspect/served_inspection.h"

#include <gtest/gtest.h>

#include "app/version.h"

namespace jointrig::app {
namespace {

remote::RobotFacts served_by(const std::string& version) {
  remote::RobotFacts facts;
  facts.config.name = "elbow";
  facts.config.joints.resize(1);
  facts.config.joints[0].name = "hinge";
  facts.backend = "sim";
  facts.version = version;
  facts.boards.resize(1);
  facts.boards[0].joint = "hinge";
  return facts;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST(ServedInspection, TellsWhoServesTheRobotAndOnWhat) {
  EXPECT_EQ(first_line(describe_served(served_by(std::string(kVersion)), "arm:4600", "")),
            "elbow, served at arm:4600 by jointrig " + std::string(kVersion) + " on backend sim");
}

TEST(ServedInspection, TellsOfAServerOfAnotherVersionWithBothVersions) {
  EXPECT_EQ(first_line(describe_served(served_by("7.8.9"), "arm:4600", "")),
            "elbow, served at arm:4600 by jointrig 7.8.9 (this is " + std::string(kVersion) +
                ") on backend sim");
}

}  // namespace
}  // namespace jointrig::app
