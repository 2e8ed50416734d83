#include "hw/canopen/data_type.h"

namespace jointrig::canopen {

std::string_view to_string(DataType type) noexcept {
  switch (type) {
    case DataType::kBoolean:
      return "BOOLEAN";
    case DataType::kInteger8:
      return "INTEGER8";
    case DataType::kInteger16:
      return "INTEGER16";
    case DataType::kInteger32:
      return "INTEGER32";
    case DataType::kUnsigned8:
      return "UNSIGNED8";
    case DataType::kUnsigned16:
      return "UNSIGNED16";
    case DataType::kUnsigned32:
      return "UNSIGNED32";
    case DataType::kReal32:
      return "REAL32";
    case DataType::kVisibleString:
      return "VISIBLE_STRING";
    case DataType::kOctetString:
      return "OCTET_STRING";
    case DataType::kDomain:
      return "DOMAIN";
    case DataType::kReal64:
      return "REAL64";
    case DataType::kInteger64:
      return "INTEGER64";
    case DataType::kUnsigned64:
      return "UNSIGNED64";
  }
  return "?";
}

}  // namespace jointrig::canopen
