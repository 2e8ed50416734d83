#include "harness/config/load_reader.h"

#include "harness/config/units.h"

namespace jointrig::harness {

LoadInertia read_load_inertia(const YamlNode& list, double mass) {
  LoadInertia inertia{};
  for (std::size_t i = 0; i < inertia.size(); ++i) {
    inertia[i] = quantity(list.items()[i], "kg m^2");
  }
  if (const LoadFlaw flaw = find_flaw(mass, inertia)) {
    throw list.error(describe_flaw(flaw.value, flaw.limit));
  }
  return inertia;
}

}  // namespace jointrig::harness
