/// A shared library that has no law.
extern "C" __attribute__((visibility("default"))) int something_else() { return 1; }
