#include "hw/canopen/abort_code.h"

namespace jointrig::canopen {

std::string_view in_words(AbortCode code) noexcept {
  switch (code) {
    case AbortCode::kNone:
      return "no abort";
    case AbortCode::kToggle:
      return "the toggle bit did not alternate";
    case AbortCode::kTimeOut:
      return "no answer in time";
    case AbortCode::kCommand:
      return "the command is not valid or not known";
    case AbortCode::kOutOfMemory:
      return "out of memory";
    case AbortCode::kUnsupportedAccess:
      return "the object does not take this kind of access";
    case AbortCode::kWriteOnly:
      return "the object is write-only";
    case AbortCode::kReadOnly:
      return "the object is read-only";
    case AbortCode::kNoObject:
      return "there is no such object";
    case AbortCode::kNotMappable:
      return "the object can't be mapped to this PDO";
    case AbortCode::kMappingTooLong:
      return "the objects mapped are longer than a PDO";
    case AbortCode::kParameterIncompatible:
      return "the parameter does not go with another one";
    case AbortCode::kDeviceIncompatible:
      return "an incompatibility inside the device";
    case AbortCode::kHardware:
      return "a hardware error";
    case AbortCode::kLength:
      return "the length does not match the object";
    case AbortCode::kTooLong:
      return "the value is longer than the object";
    case AbortCode::kTooShort:
      return "the value is shorter than the object";
    case AbortCode::kNoSubIndex:
      return "the object has no such sub-index";
    case AbortCode::kValue:
      return "the value is not valid";
    case AbortCode::kValueTooHigh:
      return "the value is above the upper limit";
    case AbortCode::kValueTooLow:
      return "the value is below the lower limit";
    case AbortCode::kMaximumBelowMinimum:
      return "the maximum is below the minimum";
    case AbortCode::kNoSdoConnection:
      return "no SDO connection";
    case AbortCode::kGeneral:
      return "an error that is not told";
    case AbortCode::kCannotStore:
      return "the value can't be taken over or stored";
    case AbortCode::kLocalControl:
      return "the value can't be taken over: the device is under local control";
    case AbortCode::kDeviceState:
      return "the value can't be taken over in the device's present state";
    case AbortCode::kNoDictionary:
      return "the device has no object dictionary";
    case AbortCode::kNoData:
      return "there is no data";
  }
  return "an unlisted reason";
}

}  // namespace jointrig::canopen
