#include "model/client/one_request.h"

#include <algorithm>
#include <charconv>
#include <variant>

#include "model/client/requests.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

struct Asked {  // 1.
  bool operator==(const Asked&) const = default;
};
struct Told {  // 2.
  Answer answer = Answer::yes;
  std::optional<std::int64_t> token;  // that it asked for
  bool operator==(const Told&) const = default;
  static auto fields(auto& t) { return std::tie(t.answer, t.token); }
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
  if (step.by) return ask_about(caller, step, step.object, caller.call().lock);
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
  return_from_call(caller, told.answer, told.token);
}

/// How often it is held, or for how long, against what the step asks.
Answer enough(const Step& step, const Items& items) {
  const std::int64_t number = items.front().number.value_or(0);
  const std::int64_t least =
      step.kind == StepKind::hold_count ? std::int64_t{step.count} : step.span.lo.count();
  return number >= std::max(least, std::int64_t{1}) ? Answer::yes : Answer::no;
}

void answered(Caller caller, const Request&, const Items& items, bool gone) {
  VERIFY(!gone);
  const Step& step = caller.step();
  Told told;
  if (says(items, Meaning::failed)) told.answer = Answer::exception;
  else if (says(items, Meaning::no)) told.answer = Answer::no;
  else if (step.kind == StepKind::hold_count || step.kind == StepKind::remain_time)
    told.answer = enough(step, items);
  else if (step.kind == StepKind::get_token) told.token = items.front().number;
  caller.in<OneRequest>().at = told;
}

}  // namespace

void ask_about(Caller caller, const Step& step, std::uint16_t object, const std::string& lock) {
  const Setup& setup = caller.setup();
  const Role* role = role_for(kind_of(setup, object), *intent_of(step.kind));
  VERIFY(role != nullptr);
  Purpose purpose =
      purpose_about(caller, object, lock, *role, client_of(setup, object), Duration::zero());
  Purpose about = purpose;
  if (step.by) about.thread = thread_called(setup, caller.context.self, *step.by);
  if (role->command == nullptr) {
    Request request{.purpose = std::move(about), .form = Request::Form::eval, .keys = {}, .args = {}};
    make_words(request, caller.context);
    request.purpose = std::move(purpose);
    caller.context.out.requests.push_back({std::move(request)});
    return;
  }
  Wording wording{setup, about};
  Request request{.purpose = std::move(purpose),
                  .form = Request::Form::command,
                  .keys = {},
                  .args = role->command(wording)};
  caller.context.out.requests.push_back({std::move(request)});
}

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
    .granted = nullptr};

Items read_number(const Reply& reply) {
  if (reply.is_nil()) return {{.what = Meaning::no, .wait = {}, .number = {}}};
  std::int64_t number = 0;
  if (reply.integer() != nullptr) {
    number = *reply.integer();
  } else if (reply.bulk() != nullptr) {
    std::from_chars(reply.bulk()->data(), reply.bulk()->data() + reply.bulk()->size(), number);
  }
  return {{.what = Meaning::yes, .wait = {}, .number = number}};
}

Items read_yes_or_no(const Reply& reply) {
  const bool no = reply.is_nil() || (reply.integer() != nullptr && *reply.integer() == 0);
  return {{.what = no ? Meaning::no : Meaning::yes, .wait = {}, .number = {}}};
}

}  // namespace lockstep::model
