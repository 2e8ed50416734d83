#pragma once
/// The objects of a virtual drive that is no board of the project: it has what its profile
/// (docs/drives.md) says, so that a robot of other makers' drives can be rehearsed.

#include <cstdint>
#include <vector>

#include "hw/canopen/device_description.h"
#include "hw/driver/drive_setup.h"
#include "hw/driver/pdo_layout.h"

namespace jointrig::app {

struct ProfiledDrive {
  hw::DriveIdentity identity;
  std::vector<std::uint16_t> without;  ///< objects that it lacks
  hw::PdoLayouts pdos;
  bool remaps_pdos = true;  ///< false: `pdos` are fixed and can't be written
};

/// `board` without the objects of the project (but 2011h, by which the host knows virtual boards)
/// and without those that the drive lacks. Its PDOs are the fixed ones, or eight each way that are
/// off until a master maps them.
[[nodiscard]] canopen::DeviceDescription as_profiled(canopen::DeviceDescription board,
                                                     const ProfiledDrive& drive, std::uint8_t node);

}  // namespace jointrig::app
