// link.cpp: a link between a process and a node is cut. Connections over it break when they time out.
#include "model/world/faults/table.h"
#include "model/world/tracer.h"

namespace lockstep::model {

namespace {

void set_cut(World& world, const Move& move, bool cut, StepReport& report) {
  Link& link = world.link(move.of<LinkId>().process, move.of<LinkId>().node).write();
  link.cut = cut;
  const FaultLimits& limits = report.setup.limits;
  link.cut_left = cut ? limits.cut_max : Duration::zero();
  link.time_out_left = !cut                              ? Duration::zero()
                       : cuts_may_time_out(report.setup) ? limits.connection_timeout
                                                         : sim::never;
  link.timed_out = false;
}

const Link& link_on(const World& world, const Subject& on) {
  const auto& [process, node] = std::get<LinkId>(on);
  return *world.link(process, node);
}

/// The standing connection is gone for both; requests travel on others.
void break_connection(World& world, const Move& move, StepReport& report) {
  const auto& [p, n] = move.of<LinkId>();
  Link& link = world.link(p, n).write();
  if (report.tracer != nullptr) {
    Link lost = link;
    lost.flights.clear();
    report.tracer->lost(move.of<LinkId>(), lost, "its connection broke");
  }
  link.up.clear();
  link.down.clear();
  link.listening = false;
  link.broken = true;
  report.setup.kind_of(n).disconnect(world.nodes[n.index()].write(), p);
}

void touch_link(const Move& move, Touching& touching) {
  touching.link_of(move.of<LinkId>()).reads(Part::process, move.of<LinkId>().process.index());
}

}  // namespace

void break_link(World& world, LinkId id, std::string_view why, StepReport& report) {
  auto& link = world.link(id.process, id.node);
  if (link->empty() && !link->listening) return;
  if (report.tracer != nullptr) report.tracer->lost(id, *link, why);
  break_connections(link.write());
}

bool cuts_may_time_out(const Setup& setup) {
  return setup.limits.cut_max >= setup.limits.connection_timeout || fixes(setup, cut_link_fault);
}

const FaultRow cut_link_fault{
    .key = "cut-link",
    .about = "nothing passes between a process and a node, at most for cut-max",
    .begin = {.verb = {.word = "cut",
                       .form = Form::cut,
                       .event = sim::TraceKind::cut,
                       .list =
                           [](Listing& list) {
                             list.each_link([&](LinkId id, const Link& link) {
                               if (!link.cut && list.alive(id.process.index()) && list.lazy.should_cut(id))
                                 list.add(id);
                             });
                           },
                       .touches = touch_link,
                       .apply = [](World& world, const Move& move,
                                   StepReport& report) { set_cut(world, move, true, report); }},
              .fixed = "cut",
              .befalls = [](const World& world, const Setup&,
                            const Subject& on) { return !link_on(world, on).cut; }},
    .end =
        FaultEnd{.act = {.verb = {.word = "heal",
                                  .form = Form::cut,
                                  .event = sim::TraceKind::heal,
                                  .list =
                                      [](Listing& list) {
                                        list.each_link([&](LinkId id, const Link& link) {
                                          if (link.cut && list.lazy.should_heal(id))
                                            list.add_ending(id, link.cut_left);
                                        });
                                      },
                                  .touches = touch_link,
                                  .apply = [](World& world, const Move& move,
                                              StepReport& report) { set_cut(world, move, false, report); }},
                         .fixed = "heal",
                         .befalls = [](const World& world, const Setup&,
                                       const Subject& on) { return link_on(world, on).cut; }},
                 .words = "heal",
                 .at_latest = &FaultLimits::cut_max,
                 .limit_key = "cut-max",
                 .place = 1},
    .place = 5};

const FaultRow break_connection_fault{
    .key = "break-connection",
    .about = "the pub/sub connection of a process to a node breaks, and it connects again",
    .begin = {.verb = {.word = "break",
                       .form = Form::cut,
                       .event = sim::TraceKind::broken,
                       .list =
                           [](Listing& list) {
                             list.each_link([&](LinkId id, const Link& link) {
                               if (link.listening && list.alive(id.process.index()) &&
                                   list.lazy.should_break(id))
                                 list.add(id);
                             });
                           },
                       .touches =
                           [](const Move& move, Touching& touching) {
                             touch_link(move, touching);
                             const auto& [process, node] = move.of<LinkId>();
                             touching.writes(Part::node, node.index());
                             touching.writes(Part::pushes, process.index(), node.index());
                           },
                       .apply = break_connection},
              .fixed = "break",
              .befalls = [](const World& world, const Setup&,
                            const Subject& on) { return link_on(world, on).listening; }},
    .end = {},
    .place = 14};

}  // namespace lockstep::model
