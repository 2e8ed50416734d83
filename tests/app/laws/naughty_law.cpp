/// A law that misbehaves as its parameter `way` says, from its hundredth cycle on.

#include <time.h>

#include <cmath>
#include <stdexcept>

#include "control/core/user_law.h"

namespace {

class Naughty final : public jointrig::UserLaw {
 public:
  void declare(jointrig::LawDeclaration& d) override {
    way_ = d.parameter("way", 0.0, 0.0, 5.0, "");
    if (d.joints() == 2) throw std::runtime_error("two joints are not to my taste");
  }
  void torque(jointrig::LawCycle& c) override {
    if (++cycles_ < 100) return;
    switch (static_cast<int>(c.parameter[way_])) {
      case 1:
        throw std::runtime_error("thrown across the library's border");
      case 2:
        c.tau[0] = std::nan("");
        return;
      case 3: {  // slow: 0.4 ms of the processor
        const clock_t until = clock() + CLOCKS_PER_SEC / 2500;
        while (clock() < until) {
        }
        return;
      }
      case 4:
        for (volatile bool go = true; go;) {
        }
        return;
      default:
        return;
    }
  }

 private:
  std::size_t way_ = 0;
  int cycles_ = 0;
};

}  // namespace

JOINTRIG_USER_LAW(Naughty)
