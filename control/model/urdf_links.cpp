#include "control/model/urdf_links.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <set>

namespace jointrig {
namespace {

using tinyxml2::XMLElement;

constexpr double kGivenMass = 1e-3;    // kg: a choice, far below what a motor feels
constexpr double kGivenRadius = 0.05;  // m: a choice

std::string attribute(const XMLElement* element, const char* name) {
  const char* value = element != nullptr ? element->Attribute(name) : nullptr;
  return value != nullptr ? value : "";
}

/// MuJoCo's reader computes the mass of a link without <inertial> from its collision shapes.
bool weighs(const XMLElement& link) {
  const XMLElement* inertial = link.FirstChildElement("inertial");
  if (inertial == nullptr) return link.FirstChildElement("collision") != nullptr;
  const XMLElement* mass = inertial->FirstChildElement("mass");
  return mass != nullptr && mass->DoubleAttribute("value") > 0.0;
}

void give_mass(XMLElement& link) {
  if (XMLElement* old = link.FirstChildElement("inertial")) link.DeleteChild(old);
  XMLElement* inertial = link.InsertNewChildElement("inertial");
  inertial->InsertNewChildElement("mass")->SetAttribute("value", kGivenMass);
  XMLElement* inertia = inertial->InsertNewChildElement("inertia");
  const std::string moment = fmt::format("{:g}", 0.4 * kGivenMass * kGivenRadius * kGivenRadius);
  for (const char* name : {"ixx", "iyy", "izz"}) inertia->SetAttribute(name, moment.c_str());
  for (const char* name : {"ixy", "ixz", "iyz"}) inertia->SetAttribute(name, "0");
}

}  // namespace

std::vector<std::string> give_missing_masses(XMLElement& robot) {
  std::set<std::string> moving;
  std::map<std::string, std::vector<std::string>> fixed;  // by the link that carries them
  for (const XMLElement* joint = robot.FirstChildElement("joint"); joint != nullptr;
       joint = joint->NextSiblingElement("joint")) {
    const std::string child = attribute(joint->FirstChildElement("child"), "link");
    if (attribute(joint, "type") == "fixed") {
      fixed[attribute(joint->FirstChildElement("parent"), "link")].push_back(child);
    } else {
      moving.insert(child);
    }
  }
  std::set<std::string> heavy;
  for (const XMLElement* link = robot.FirstChildElement("link"); link != nullptr;
       link = link->NextSiblingElement("link")) {
    if (weighs(*link)) heavy.insert(attribute(link, "name"));
  }
  std::set<std::string> seen;  // a link fixed to itself is MuJoCo's to refuse
  const std::function<bool(const std::string&)> carries = [&](const std::string& link) {
    if (!seen.insert(link).second) return false;
    return heavy.contains(link) || std::any_of(fixed[link].begin(), fixed[link].end(), carries);
  };
  std::vector<std::string> given;
  for (XMLElement* link = robot.FirstChildElement("link"); link != nullptr;
       link = link->NextSiblingElement("link")) {
    const std::string name = attribute(link, "name");
    seen.clear();
    if (!moving.contains(name) || carries(name)) continue;
    give_mass(*link);
    given.push_back(name);
  }
  return given;
}

void settle_shape_names(XMLElement& link, std::set<std::string>& taken) {
  std::vector<XMLElement*> shapes;
  for (const char* kind : {"visual", "collision"}) {
    for (XMLElement* shape = link.FirstChildElement(kind); shape != nullptr;
         shape = shape->NextSiblingElement(kind)) {
      shapes.push_back(shape);
    }
  }
  bool nameless_behind = false;
  for (XMLElement* shape : shapes | std::views::reverse) {
    const std::string name = attribute(shape, "name");
    if (!name.empty() && !nameless_behind && taken.insert(name).second) continue;
    shape->DeleteAttribute("name");
    nameless_behind = true;
  }
}

}  // namespace jointrig
