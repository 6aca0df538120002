#include "model/client/outside.h"

#include <array>

#include "model/client/one_request.h"
#include "model/resource/kind.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

constexpr std::array command_roles{
    Role{.name = "redis",
         .intent = Intent::command,
         .read = read_yes_or_no,
         .command =
             [](Wording&) {
               UNREACHABLE("its words are those of the step");
               return Command{};
             },
         .sent_once = true},
};

constexpr std::array write_roles{
    Role{.name = "write",
         .intent = Intent::write,
         .read = read_yes_or_no,
         .command = [](Wording& wording) { return Command{"write", wording.purpose.lock}; },
         .sent_once = true},
};

}  // namespace

const LockKind operator_commands{.name = "redis",
                                 .says = "a plain command to Redis",
                                 .roles = command_roles,
                                 .keys = {},
                                 .args = {},
                                 .machine = &one_request,
                                 .promises = {.reentrant = false, .expires = false}};

const LockKind resources{.name = "resource",
                         .says = "a write to something outside of Redis",
                         .roles = write_roles,
                         .keys = {},
                         .args = {},
                         .machine = &one_request,
                         .promises = {.reentrant = false, .expires = false},
                         .server = &resource::server_kind};

}  // namespace lockstep::model
