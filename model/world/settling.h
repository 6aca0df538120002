// settling.h: when roles settle by themselves, and what that touches: processes learn who is master, old
// masters become replicas, replicas copy their master, connections are given up and made anew, nodes do what
// is due, elect and close (watch.h). Nobody pays for these. They are rows of the table in verbs.cpp.
#pragma once

#include "model/world/verbs.h"

namespace lockstep::model {

void list_learning(Listing& list);
void touch_learning(const Move& move, Touching& touching);
void list_demotions(Listing& list);
void list_resyncs(Listing& list);
void touch_resync(const Move& move, Touching& touching);
void touch_demotion(const Move& move, Touching& touching);
void list_giving_up(Listing& list);
void touch_giving_up(const Move& move, Touching& touching);
void list_reconnects(Listing& list);
void list_due(Listing& list);
void list_elections(Listing& list);
void list_closing(Listing& list);

}  // namespace lockstep::model
