// Parsed once for all tests of the stack and of what holds one, beside the headers of all tests.
#include "cmake/parsed_test_headers.h"
#include "control/exchange/robot_client.h"
#include "control/stack/stack.h"
