// [scheme.NAME] as text.
#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "scenarios/format/duration.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/scheme_words.h"
#include "scenarios/format/section_schemes.h"

namespace lockstep::scenarios {

using model::Described;
using model::Retry;
using model::Scheme;
using model::Template;
using sim::Duration;

namespace {

std::string text_of_requests(const std::vector<Described>& all) {
  std::string out;
  for (const Described& asked : all) {
    std::string one = asked.script ? fmt::format("script = {}", toml_text(asked.script->file))
                                   : fmt::format("send = {}", toml_text(print_command(asked.words)));
    const auto list = [&](std::string_view key, const std::vector<Template>& texts) {
      std::string items;
      for (const Template& text : texts) items += (items.empty() ? "" : ", ") + toml_text(print(text));
      if (!texts.empty()) one += fmt::format(", {} = [{}]", key, items);
    };
    list("keys", asked.keys);
    list("args", asked.args);
    std::string rules;
    for (const model::ReplyRule& rule : asked.rules)
      rules += fmt::format("{}{} = {}", rules.empty() ? "" : ", ", toml_text(print_pattern(rule)),
                           toml_text(rule.word));
    out += fmt::format("{}{{ {}, reply = {{ {} }} }}", out.empty() ? "" : ", ", one, rules);
  }
  return "[" + out + "]";
}

std::string text_of_names(std::string_view key, const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + toml_text(name);
  return out.empty() ? out : fmt::format("{} = [{}]\n", key, out);
}

std::string text_of_retry(const Retry& retry) {
  std::string out;
  if (retry.how == Retry::How::poll) out = fmt::format("poll = \"{}\"", print(retry.first));
  if (retry.how == Retry::How::back_off)
    out = fmt::format("back-off = \"{}\", most = \"{}\"", print(retry.first), print(retry.most));
  if (retry.how == Retry::How::channel)
    out =
        fmt::format("at-latest = \"{}\", channel = {}", print(retry.first), toml_text(print(retry.channel)));
  if (retry.how == Retry::How::keyspace_event) {
    const std::string events = text_of_names("keyspace-event", retry.events);
    out = fmt::format("at-latest = \"{}\", {}", print(retry.first), events.substr(0, events.size() - 1));
  }
  if (retry.jitter > Duration::zero()) out += fmt::format(", jitter = \"{}\"", print(retry.jitter));
  if (retry.times > 0) out += fmt::format(", times = {}", retry.times);
  return "{ " + out + " }";
}

std::string text_of_holder(const model::HolderRule& rule) {
  std::string out = fmt::format("key = {}", toml_text(print(rule.key)));
  if (!rule.field.pieces.empty()) out += fmt::format(", field = {}", toml_text(print(rule.field)));
  for (const FormWord& form : holder_forms())
    if (form.form == rule.form && !rule.value.pieces.empty())
      out += fmt::format(", {} = {}", form.word, toml_text(print(rule.value)));
  return "{ " + out + " }";
}

}  // namespace

std::string print_scheme(const Scheme& scheme) {
  std::string out = fmt::format("\n[scheme.{}]\n", scheme.name);
  out += fmt::format("acquire = {}\n", text_of_requests(scheme.acquire));
  if (scheme.drift > Duration::zero()) out += fmt::format("drift = \"{}\"\n", print(scheme.drift));
  out += fmt::format("holder = {}\n", text_of_holder(scheme.holder));
  out += fmt::format("lease = \"{}\"\n", print(scheme.lease));
  out += fmt::format("on = \"{}\"\n", on_words[static_cast<std::size_t>(scheme.on)]);
  out += text_of_names("promises", scheme.promises);
  if (scheme.reentrant) out += "reentrant = true\n";
  out += fmt::format("release = {}\n", text_of_requests(scheme.release));
  if (scheme.renew) {
    std::string request = text_of_requests({*scheme.renew});
    out += fmt::format("renew = {{ every = \"{}\", {}\n", print(scheme.renew_every),
                       request.substr(3, request.size() - 4));
  }
  out += fmt::format("retry = {}\n", text_of_retry(scheme.retry));
  if (!scheme.says.empty()) out += fmt::format("says = {}\n", toml_text(scheme.says));
  if (scheme.server != nullptr) out += fmt::format("server = \"{}\"\n", scheme.server->name);
  out += fmt::format("timeout = \"{}\"\n", print(scheme.timeout));
  if (!scheme.undo.empty()) out += fmt::format("undo = {}\n", text_of_requests(scheme.undo));
  out += text_of_names("weaknesses", scheme.weaknesses);
  return out;
}

void print_schemes(std::string& out, const model::Setup& setup) {
  for (const model::LockKind* kind : setup.kinds)
    if (kind->scheme != nullptr) out += print_scheme(*kind->scheme);
}

}  // namespace lockstep::scenarios
