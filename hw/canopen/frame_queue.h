#pragma once

#include "hw/can/frame.h"
#include "hw/canopen/ring.h"

namespace jointrig::canopen {

/// Where the protocol's state machines put the frames they want sent: whoever calls one empties it
/// onto the bus afterwards.
using FrameQueue = Ring<can::Frame, 64>;

}  // namespace jointrig::canopen
