#include "tools/cli/glossary.h"

#include <array>
#include <span>

namespace lockstep::tools {

namespace {

struct Gloss {
  std::string_view word, about;
};

constexpr std::array witnesses{
    Gloss{"lock-held", "a thread believed that it holds a lock"},
    Gloss{"contention", "an acquire was refused"},
    Gloss{"parked", "a thread waited on the latch"},
    Gloss{"woken-by-message", "a waiting thread went on because of an unlock message"},
    Gloss{"woken-by-timer", "a waiting thread went on because it had waited long enough"},
    Gloss{"reentry", "a thread acquired what it held already"},
    Gloss{"released", "a last unlock freed a lock"},
    Gloss{"unlock-by-stranger", "an unlock script ran while another held the lock"},
    Gloss{"not-the-owner", "unlock threw IllegalMonitorStateException"},
    Gloss{"refused-in-time", "trylock returned false"},
    Gloss{"expectation-checked", "an `expect` step was reached"},
    Gloss{"renewed", "the watchdog extended a lease"},
    Gloss{"renewal-refused", "the watchdog found nothing to renew"},
    Gloss{"expired", "a key died of its time to live"},
    Gloss{"expiry-while-working", "a key died while a thread believed that it holds that lock"},
    Gloss{"free-with-waiter", "a lock was free while a thread waited for it"},
    Gloss{"process-crashed", "a process crashed"},
    Gloss{"crashed-while-holding", "a process crashed that held a lock"},
    Gloss{"process-paused", "a process paused"},
    Gloss{"node-crashed", "a node crashed"},
    Gloss{"failover", "a replica was promoted"},
    Gloss{"writes-lost", "the promoted node had not seen all writes"},
    Gloss{"demoted", "an old master became a replica"},
    Gloss{"message-lost", "a message was lost"},
    Gloss{"resent", "a request was sent again after its time-out"},
    Gloss{"interrupted", "a thread was interrupted"},
    Gloss{"at-rest", "every program ended, nobody holds anything, nothing is under way"},
    Gloss{"all-answered", "every program ended"},
    Gloss{"answered", "a server answered a request of a lock client"},
    Gloss{"written-by-another", "a resource took a write of another thread than the last one"},
    Gloss{"gathered", "a thread was given a lock that is made of others"},
    Gloss{"queued", "a thread had a place in the queue of a lock"},
    Gloss{"granted-before-others", "a thread got a lock while others waited in its queue"},
    Gloss{"shared", "two threads believed at once that they hold one lock, both of them as readers do"},
    Gloss{"another-token", "a lock that had given a token gave another"},
    Gloss{"stale-write-refused", "a resource that checks tokens refused a write for want of a new one"},
    Gloss{"process-restarted", "a crashed process started again"},
    Gloss{"message-held", "a message was held back"},
    Gloss{"link-cut", "a link between a process and a node was cut"},
    Gloss{"node-restarted", "a crashed node came up again"},
    Gloss{"replica-lagged", "the effects of writes waited"},
    Gloss{"clock-jumped", "the wall clock of a node jumped"},
    Gloss{"node-paused", "a node paused"},
    Gloss{"thread-stalled", "a thread stalled while its process went on"},
    Gloss{"connection-broken", "the pub/sub connection of a process broke"},
    Gloss{"replica-cut", "a replica lost its master"},
    Gloss{"evicted", "a node dropped a key"},
    Gloss{"scripts-flushed", "a node forgot its scripts, and clients ask for them by digest"},
    Gloss{"saved", "a node saved its data, by itself or for an operator"},
    Gloss{"power-lost", "a crash took writes along"},
    Gloss{"node-isolated", "a node was cut off from the other nodes"},
    Gloss{"votes-split", "the election of a new master was in vain"},
    Gloss{"slots-moved", "slots began to move from one master of a cluster to another"},
};

constexpr std::array steps{
    Gloss{"start", "D or D..D: when the thread begins; its first step only"},
    Gloss{"think", "D or D..D: lets time pass outside of the critical section"},
    Gloss{"work", "D or D..D: lets time pass inside of it"},
    Gloss{"lock", "L [lease=D]: waits until it has the lock"},
    Gloss{"lock-interruptibly", "L [lease=D]: the same, and an interrupt ends the wait"},
    Gloss{"trylock", "L [wait=D [lease=D]]: if refused, goes on behind the matching unlock"},
    Gloss{"unlock", "L: releases one hold"},
    Gloss{"force-unlock", "L: removes the lock from any holder"},
    Gloss{"signal", "X: opens the latch X"},
    Gloss{"await", "X: waits until the latch X is open"},
    Gloss{"expect", "true|false|exception: what the call right before must have answered"},
    Gloss{"crash", "the thread's process dies here"},
    Gloss{"is-held", "L: whether this thread holds it (isHeldByCurrentThread)"},
    Gloss{"is-locked", "L: whether anybody does (isLocked)"},
    Gloss{"hold-count", "L [least=N]: whether this thread holds it so often (getHoldCount)"},
    Gloss{"remain-time", "L [least=D]: whether it lasts so long (remainTimeToLive)"},
    Gloss{"get-token", "L: the token that was given last (getToken)"},
    Gloss{"get", "waits until the thread's last `async` call is over, and answers as that does"},
    Gloss{"cancel", "gives up that call: a lock that comes later is given back"},
    Gloss{"shutdown", "the client of the thread's process is shut down"},
    Gloss{"redis", "[on=R1] COMMAND: a plain command of an operator, a stranger to every lock"},
    Gloss{"write", "R: writes to a resource outside of Redis, with the thread's last token if it has one"},
    Gloss{"repeat", "N { STEP; STEP }: the steps, N times"},
    Gloss{"try", "{ STEP; … } finally { STEP; … }: the second steps follow even after an exception"},
};

constexpr std::array roles{
    Gloss{"lock", "takes the lock, once more if it is the caller's, or says how long it is still taken"},
    Gloss{"unlock", "releases one hold of the caller's; the last one frees the lock and tells the channel"},
    Gloss{"renew", "sets the lease anew if the lock is the caller's; sent by the watchdog"},
    Gloss{"force-unlock", "removes the lock from any holder, and tells the channel"},
    Gloss{"spin-unlock", "releases one hold of the caller's; the last one frees the lock and tells nobody"},
    Gloss{"spin-force-unlock", "removes the lock from any holder, and tells nobody"},
    Gloss{"read-lock", "takes the lock beside other readers, or says how long it is still written"},
    Gloss{"read-unlock", "releases one read hold; what is left lasts as long as the longest hold"},
    Gloss{"read-renew", "sets the lease of all read holds anew if the caller reads; sent by the watchdog"},
    Gloss{"read-is-locked", "says whether anybody reads, be it the writer"},
    Gloss{"read-force-unlock", "removes the lock from all readers, and tells the channel"},
    Gloss{"write-lock", "takes the lock to write it, or says how long it is still taken"},
    Gloss{"write-unlock", "releases one write hold; the last one frees the lock or leaves it to be read"},
    Gloss{"write-force-unlock", "removes the lock from a writer, and tells the channel"},
    Gloss{"fenced-expire", "sets the time to live of the lock and of its counter, whoever holds it"},
    Gloss{"fenced-lock", "as lock, and counts each grant"},
    Gloss{"fenced-lock-token", "as lock, and counts each grant; the number is the token that it gives"},
    Gloss{"non-reentrant-lock", "takes the lock, or says how long it is taken; an error if by the caller"},
    Gloss{"faster-lock", "takes several values of a group, or says for how long another has one of them"},
    Gloss{"faster-try-lock", "as faster-lock; refused, it says no time"},
    Gloss{"faster-unlock", "releases one hold of each of the values, and tells those that wait for one"},
    Gloss{"faster-renew", "gives values that the holder has their lease anew"},
    Gloss{"faster-force-unlock", "removes values of a group from any holder, and tells those that wait"},
    Gloss{"faster-is-held", "whether the values behind the first are the caller's"},
    Gloss{"faster-is-locked", "whether somebody has one of the values"},
    Gloss{"fair-lock", "takes the lock in the order of asking"},
    Gloss{"fair-try-lock", "takes the lock if nobody waits for it, and is never queued"},
    Gloss{"fair-acquire-failed", "leaves the queue of those that wait"},
    Gloss{"fair-unlock", "releases one hold of the caller's; the last one tells the first in the queue"},
    Gloss{"fair-force-unlock", "removes the lock from any holder, and tells the first in the queue"},
    Gloss{"fair-expire", "sets the time to live of the lock, its queue and its deadlines, whoever holds it"},
    Gloss{"non-reentrant-fair-lock", "as fair-lock; an error if the lock is the caller's"},
    Gloss{"non-reentrant-fair-try-lock", "as fair-try-lock; an error if the lock is the caller's"},
    Gloss{"compare-and-delete", "deletes the key if it holds the caller's token"},
};

std::string_view look_up(std::span<const Gloss> table, std::string_view word) {
  for (const Gloss& one : table)
    if (one.word == word) return one.about;
  return {};
}

}  // namespace

std::string_view about_witness(std::string_view word) { return look_up(witnesses, word); }
std::string_view about_step(std::string_view word) { return look_up(steps, word); }
std::string_view about_role(std::string_view word) { return look_up(roles, word); }

}  // namespace lockstep::tools
