#include "model/redisson/locks/asking_members.h"

#include "model/client/one_request.h"
#include "model/redisson/library.h"
#include "sim/base/verify.h"

namespace lockstep::redisson {

namespace {

using model::Answer;

struct AskingMembers {
  static constexpr std::string_view kind = "asking members";

  std::uint16_t next = 0;  // which member is asked
  std::optional<Answer> told;
  bool operator==(const AskingMembers&) const = default;
  static auto fields(auto& a) { return std::tie(a.next, a.told); }
};
static_assert(sim::State<AskingMembers>);

const std::vector<std::uint16_t>& members_of(model::Caller caller) {
  return caller.setup().objects[caller.call().object].members;
}

/// 1.
void ask_member(model::Caller caller, const model::Step& step) {
  AskingMembers& now = caller.in<AskingMembers>();
  const std::uint16_t member = members_of(caller)[now.next];
  now.told.reset();
  model::ask_about(caller, step, member, caller.setup().objects[member].name);
}

void invoke_question(model::Caller caller, const model::Step& step) {
  caller.call().state = AskingMembers{};
  const bool answers = step.kind == model::StepKind::is_held && settings_of(caller.context).members_asked;
  if (answers) ask_member(caller, step);
  else caller.in<AskingMembers>().told = Answer::exception;
}

void go_on_asking(model::Caller caller) {
  AskingMembers& now = caller.in<AskingMembers>();
  if (now.told == Answer::yes && now.next + 1U < members_of(caller).size()) {
    ++now.next;
    return ask_member(caller, caller.step());
  }
  model::return_from_call(caller, *now.told);
}

void member_answered(model::Caller caller, const model::Request&, const model::Items& items, bool gone) {
  VERIFY(!gone);
  const bool failed = says(items, model::Meaning::failed);
  caller.in<AskingMembers>().told = failed                              ? Answer::exception
                                    : says(items, model::Meaning::no) ? Answer::no
                                                                      : Answer::yes;
}

}  // namespace

const model::Machine asking_members{
    .name = "asking members",
    .invoke = invoke_question,
    .may_resume =
        [](const model::Process& process, const model::Setup& setup, sim::ThreadId thread) {
          const model::Call& call = *process.threads[setup.threads[thread.index()].place].call;
          return call.state.get<AskingMembers>().told.has_value();
        },
    .resume = go_on_asking,
    .answered = member_answered};

}  // namespace lockstep::redisson
