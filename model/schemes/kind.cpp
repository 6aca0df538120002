#include "model/schemes/kind.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "model/schemes/in_turn.h"
#include "model/schemes/library.h"

namespace lockstep::schemes {

namespace {

using model::Hold;
using model::HolderRule;
using model::Intent;
using model::Meaning;
using model::Scheme;
using model::Stored;
using model::Truth;

/// Who holds it on one master.
Truth truth_on(const model::Look& look, const Scheme& scheme, const model::Purpose& about,
               const model::Setup& setup) {
  const HolderRule& rule = scheme.holder;
  const std::optional<Stored> stored = look(model::fill(rule.key, {setup, about}));
  Truth truth;
  if (!stored) return truth;
  truth.unreadable = stored->form != rule.form;
  for (const auto& [first, second] : stored->items) {
    if (truth.unreadable) break;
    const bool in_field = rule.form == Stored::Form::hash && rule.value.pieces.empty();
    if (rule.form == Stored::Form::hash && !in_field && first != model::print(rule.field)) continue;
    const bool in_first = in_field || rule.form == Stored::Form::sorted_set;
    const auto holder =
        model::holder_in(in_field ? rule.field : rule.value, in_first ? first : second, about.lock);
    if (!holder) continue;
    std::int64_t count = 1;
    if (in_field) std::from_chars(second.data(), second.data() + second.size(), count);
    truth.holds.push_back({*holder, std::max<std::int64_t>(count, 1), stored->left});
  }
  truth.nobodys = truth.holds.empty() && !truth.unreadable;
  return truth;
}

/// How long so many of them last together.
std::optional<sim::Duration> left_together(std::vector<Hold> holds, std::size_t needed) {
  const auto longer = [](const Hold& a, const Hold& b) { return b.left && (!a.left || *a.left > *b.left); };
  std::sort(holds.begin(), holds.end(), longer);
  return holds[needed - 1].left;
}

/// Nobody knows where so many masters are down that one who holds it may be on them.
std::optional<Truth> truth_of_several(std::span<const std::optional<model::Look>> groups,
                                      const Scheme& scheme, const model::Purpose& about,
                                      const model::Setup& setup) {
  const std::size_t needed = scheme.needed(groups.size());
  std::map<std::string, std::vector<Hold>> votes;
  std::size_t unknown = 0;
  for (const auto& look : groups) {
    if (!look) ++unknown;
    else
      for (const Hold& hold : truth_on(*look, scheme, about, setup).holds) votes[hold.holder].push_back(hold);
  }
  Truth truth;
  bool may_be_more = unknown >= needed;
  for (const auto& [holder, holds] : votes) {
    if (holds.size() >= needed) truth.holds.push_back({holder, 1, left_together(holds, needed)});
    else may_be_more = may_be_more || holds.size() + unknown >= needed;
  }
  if (truth.holds.empty() && may_be_more) return std::nullopt;
  return truth;
}

std::optional<Truth> truth(std::span<const std::optional<model::Look>> groups, const model::Setup& setup,
                           std::uint16_t object, const std::string& lock) {
  const Scheme& scheme = *model::kind_of(setup, object).scheme;
  const model::Purpose about{
      .kind = setup.objects[object].kind, .thread = {}, .lock = lock, .object = object, .owner = {}};
  if (scheme.on != Scheme::On::one) return truth_of_several(groups, scheme, about, setup);
  const std::optional<model::Look>& look = groups[setup.objects[object].group.index()];
  if (!look) return std::nullopt;
  return truth_on(*look, scheme, about, setup);
}

void make_partial(model::Described& asked) {
  for (model::ReplyRule& rule : asked.rules)
    if (rule.meanings.front() == Meaning::granted) rule.meanings = {Meaning::partial, Meaning::yes};
}

void add_roles(std::vector<model::Role>& roles, std::vector<model::Described>& asked, Intent intent,
               const std::string& name) {
  for (std::size_t i = 0; i < asked.size(); ++i) {
    asked[i].role = i == 0 ? name : name + "-" + std::to_string(i + 1);
    if (asked[i].script) asked[i].script->role = asked[i].role;
    roles.push_back({.name = asked[i].role, .intent = intent, .described = &asked[i]});
  }
}

/// Who is refused asks again so much later at the latest; nothing is known of a rule without an end.
sim::Duration notices(const model::Retry& retry) {
  return retry.how == model::Retry::How::back_off ? retry.most + retry.jitter
         : retry.how == model::Retry::How::poll   ? retry.first + retry.jitter
                                                  : sim::Duration::zero();
}

}  // namespace

std::unique_ptr<const OwnKind> made_of(Scheme scheme) {
  auto own = std::make_unique<OwnKind>();
  own->scheme = std::move(scheme);
  Scheme& its = own->scheme;
  if (its.on != Scheme::On::one)
    for (model::Described& asked : its.acquire) make_partial(asked);
  add_roles(own->roles, its.acquire, Intent::acquire, "lock");
  add_roles(own->roles, its.release, Intent::release, "unlock");
  add_roles(own->roles, its.undo, Intent::release, "undo");
  if (its.renew) {
    its.renew->role = "renew";
    if (its.renew->script) its.renew->script->role = its.renew->role;
    own->roles.push_back({.name = its.renew->role, .intent = Intent::renew, .described = &*its.renew});
  }
  own->shape = {.name = its.name, .truth = truth};
  own->kind = {.name = its.name,
               .says = its.says,
               .roles = own->roles,
               .keys = {},
               .args = {},
               .shape = &own->shape,
               .machine = &in_turn,
               .library = &library,
               .promises = {.reentrant = its.reentrant, .expires = true, .notices = notices(its.retry)},
               .spread = its.on == Scheme::On::one ? model::Spread::one_group : model::Spread::all_groups,
               .on = its.server,
               .scheme = &own->scheme};
  return own;
}

}  // namespace lockstep::schemes
