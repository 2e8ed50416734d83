#include "control/model/model_bytes.h"

namespace jointrig {

std::string bytes_of(const mjModel& model) {
  std::string bytes(static_cast<std::size_t>(mj_sizeModel(&model)), '\0');
  mj_saveModel(&model, nullptr, bytes.data(), static_cast<int>(bytes.size()));
  return bytes;
}

}  // namespace jointrig
