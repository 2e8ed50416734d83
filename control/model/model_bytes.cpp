#include "control/model/model_bytes.h"

#include <algorithm>
#include <string>
#include <vector>

namespace jointrig {

std::string bytes_of(const mjModel& model) {
  mjModel bare = model;  // of the same arrays, apart from the names of files
  bare.npaths = 0;
  bare.nbuffer = 0;  // has their lengths in it
  const auto most = std::max({model.nmesh, model.nskin, model.nhfield, model.ntex});
  std::vector<int> none(static_cast<std::size_t>(most) + 1, -1);  // MuJoCo refuses a null pointer
  bare.mesh_pathadr = bare.skin_pathadr = bare.hfield_pathadr = bare.tex_pathadr = none.data();
  std::string bytes(static_cast<std::size_t>(mj_sizeModel(&bare)), '\0');
  mj_saveModel(&bare, nullptr, bytes.data(), static_cast<int>(bytes.size()));
  return bytes;
}

}  // namespace jointrig
