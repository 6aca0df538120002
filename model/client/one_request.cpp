#include "model/client/stages.h"
#include "model/client/one_request.h"

#include <variant>

#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

struct Asked {  // 1.
  bool operator==(const Asked&) const = default;
};
struct Told {  // 2.
  Answer answer = Answer::yes;
  bool operator==(const Told&) const = default;
  static auto fields(auto& t) { return std::tie(t.answer); }
};

struct OneRequest {
  static constexpr std::string_view kind = "one request";

  std::variant<Asked, Told> at;

  bool operator==(const OneRequest&) const = default;
  static auto fields(auto& r) { return std::tie(r.at); }
};
static_assert(sim::State<OneRequest>);

/// What only the step or its thread knows; else the role says it. A write goes with the thread's last token.
std::vector<std::string> words_for(Caller caller, const Step& step) {
  const std::optional<std::int64_t> token = caller.process.threads[caller.place()].token;
  if (step.kind != StepKind::write || !token) return step.words;
  return {"write", caller.call().lock, std::to_string(*token)};
}

void invoke(Caller caller, const Step& step) {
  caller.call().state = OneRequest{};
  const Role* role = role_for(caller.kind(), *intent_of(step.kind));
  VERIFY(role != nullptr);  // complete() has looked
  const std::uint16_t client = client_of(caller.setup(), caller.call().object);
  const std::vector<std::string> words = words_for(caller, step);
  if (words.empty()) return send(caller, *role, client, Duration::zero());
  Request request{.purpose = purpose_of(caller, *role, client, Duration::zero()),
                  .form = Request::Form::command,
                  .keys = {},
                  .args = words};
  caller.context.out.requests.push_back({std::move(request)});
}

void resume(Caller caller) {
  const Told told = std::get<Told>(caller.in<OneRequest>().at);
  return_from_call(caller, told.answer);
}

void answered(Caller caller, const Request&, const Items& items, bool gone) {
  VERIFY(!gone);
  caller.in<OneRequest>().at = Told{says(items, Meaning::failed) ? Answer::exception
                                    : says(items, Meaning::no)   ? Answer::no
                                                                 : Answer::yes};
}

}  // namespace

const Machine one_request{
    .name = "one request",
    .invoke = invoke,
    .may_resume =
        [](const Process& process, const Setup& setup, ThreadId thread) {
          const Call& call = *process.threads[setup.threads[thread.index()].place].call;
          return std::holds_alternative<Told>(call.state.get<OneRequest>().at);
        },
    .at_latest = nullptr,
    .resume = resume,
    .answered = answered,
    .granted = nullptr,
    .interruptible = [](const Call&) { return false; },
    .interrupt = [](Caller) { UNREACHABLE("a call that does not notice"); }};

Items read_yes_or_no(const Reply& reply) {
  const bool no = reply.is_nil() || (reply.integer() != nullptr && *reply.integer() == 0);
  return {{.what = no ? Meaning::no : Meaning::yes, .wait = {}, .number = {}}};
}

extern const Stages one_request_stages;
const Stages one_request_stages = stages_in<OneRequest>();

}  // namespace lockstep::model
