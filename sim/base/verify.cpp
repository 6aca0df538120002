#include "sim/base/verify.h"

#include <cstdio>
#include <cstdlib>

namespace lockstep::sim {

namespace {
std::string (*describe_run)() = nullptr;
constexpr int exit_internal = 70;
}  // namespace

void verify_failed(const char* what, const char* file, int line) {
  std::fprintf(stderr, "internal error: %s does not hold (%s:%d)\n", what, file, line);
  if (describe_run != nullptr) std::fprintf(stderr, "%s\n", describe_run().c_str());
  std::fflush(stderr);
  std::_Exit(exit_internal);
}

void set_verify_hook(std::string (*describe)()) { describe_run = describe; }

}  // namespace lockstep::sim
