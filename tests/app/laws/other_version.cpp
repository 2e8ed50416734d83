/// A library as another version of the interface would export it; with DIFFERENT_LAYOUT, as another
/// machine's would.

#include "control/core/user_law.h"

extern "C" {
extern __attribute__((visibility("default"))) const jointrig::UserLawPlugin jointrig_user_law;
}
#ifdef DIFFERENT_LAYOUT
const jointrig::UserLawPlugin jointrig_user_law = {jointrig::kUserLawVersion, 12, nullptr, nullptr};
#else
const jointrig::UserLawPlugin jointrig_user_law = {jointrig::kUserLawVersion + 1,
                                                   sizeof(jointrig::LawCycle), nullptr, nullptr};
#endif
