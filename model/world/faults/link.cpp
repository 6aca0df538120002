// link.cpp: a link between a process and a node is cut.
#include "model/world/faults/table.h"

namespace lockstep::model {

namespace {

void set_cut(World& world, const Move& move, bool cut, StepReport& report) {
  Link& link = world.link(move.of<LinkId>().process, move.of<LinkId>().node).write();
  link.cut = cut;
  link.cut_left = cut ? report.setup.limits.cut_max : Duration::zero();
}

void touch_link(const Move& move, Touching& touching) {
  touching.link_of(move.of<LinkId>()).reads(Part::process, move.of<LinkId>().process.index());
}

}  // namespace

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
                                   StepReport& report) { set_cut(world, move, true, report); }}},
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
                                              StepReport& report) { set_cut(world, move, false, report); }}},
                 .words = "heal",
                 .at_latest = &FaultLimits::cut_max,
                 .limit_key = "cut-max",
                 .place = 1},
    .place = 5};

}  // namespace lockstep::model
