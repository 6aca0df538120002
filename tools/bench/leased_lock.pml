/* leased_lock.pml: clients of one reentrant lock with a lease and a watchdog, in Promela.
 *
 *   spin -DN=3 -a leased_lock.pml && gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -m3000000 -w26
 *
 * sim/toys/leased_lock.h is the same model, and tools/bench/beside_spin runs both.
 *   -DN clients, -DLEASE lease in ticks (the watchdog renews after a third), -DMAXRE how often one may hold it,
 *   -DCRASH crashes, -DFAIL failovers to a replica that lags, -DPAUSE pauses of a client,
 *   -DSTALE=1: a late refusal of a renewal for an earlier hold stops the watchdog of the next as well; then two
 *   are inside after 28 steps.
 * One transition is a command sent, a script run, an answer taken, a message heard, a tick, or a fault.
 *
 * Left out: the scripts are told by hand, not run; there is one lock; a latch holds one permit; an unsubscribe
 * is done at once; connections do not break; who has crashed stays away; messages take less than a tick, so a
 * tick waits until none is under way and no watchdog is due, but for a client that is paused. */
#ifndef N
#define N 2
#endif
#ifndef LEASE
#define LEASE 3
#endif
#ifndef MAXRE
#define MAXRE 2
#endif
#ifndef CRASH
#define CRASH 1
#endif
#ifndef FAIL
#define FAIL 0
#endif
#ifndef STALE
#define STALE 0
#endif
#ifndef PAUSE
#define PAUSE 0
#endif
#define WP ((LEASE+2)/3)
#define IDLE 0
#define AQ 1      /* acquire sent, first try           */
#define AR 2      /* ... answered                      */
#define SQ 3      /* subscribe sent                    */
#define SR 4
#define BQ 5      /* acquire sent, after the subscribe */
#define BR 6
#define WAIT 7
#define CS 8
#define UQ 9      /* release sent                      */
#define UR 10
#define DEAD 11

byte owner, cnt, ttl;               /* the lock key: owner 0 = absent            */
#if FAIL
byte rowner, rcnt, rttl; bit dirty; /* the replica, and whether it lags          */
byte failovers = FAIL;
#endif
byte crashes = CRASH;
#if PAUSE
byte pauses = PAUSE; byte paused;   /* paused client + 1, or 0                   */
#define LIVE (paused != me+1)
#define HELDUP(i) (paused == i+1)
#else
#define LIVE (true)
#define HELDUP(i) (false)
#endif
byte incs;                          /* clients inside the critical section       */
byte wt[N], wd[N], fl[N];           /* wait timer; watchdog 0 off, 1 due; in flight to/from i */
bit sub[N], pend[N], latch[N];      /* subscribed; message on its way; permit    */

#if FAIL
#define WROTE dirty = 1
#else
#define WROTE skip
#endif

inline srv_acquire() {
    if :: owner == 0 -> owner = me+1; cnt = 1; ttl = LEASE; r = 0; WROTE
       :: owner == me+1 -> cnt = cnt+1; ttl = LEASE; r = 0; WROTE
       :: else -> r = ttl
    fi }

inline publish1(j) { if :: sub[j] && !pend[j] -> pend[j] = 1; fl[j] = fl[j]+1 :: else fi }

inline srv_release() {
    if :: owner != me+1 -> r = 0
       :: else -> WROTE; cnt = cnt-1;
          if :: cnt > 0 -> ttl = LEASE; r = 1
             :: else -> owner = 0; ttl = 0; r = 2;
                publish1(0); publish1(1);
#if N > 2
                publish1(2);
#endif
#if N > 3
                publish1(3);
#endif
#if N > 4
                publish1(4);
#endif
          fi
    fi }

inline got() {          /* lock() returned */
    if :: held == 0 -> incs = incs+1; assert(incs == 1); wd[me] = WP+1
       :: else fi;
    held = held+1; r = 0; pc = CS }

proctype Client(byte me) {
    byte pc, held, r, ws;           /* ws: watchdog command 0 none, 1 sent, 2 answered 1, 3 answered 0, 4/5 sent/answered for an ended hold */
    do
    :: d_step { pc == IDLE && LIVE -> pc = AQ; fl[me] = fl[me]+1 }
    :: d_step { pc == AQ -> srv_acquire(); pc = AR }
    :: d_step { pc == AR && LIVE ->
         if :: r == 0 -> fl[me] = fl[me]-1; got()
            :: else -> r = 0; pc = SQ fi }
    :: d_step { pc == SQ -> sub[me] = 1; pc = SR }
    :: d_step { pc == SR && LIVE -> pc = BQ }
    :: d_step { pc == BQ -> srv_acquire(); pc = BR }
    :: d_step { pc == BR && LIVE -> fl[me] = fl[me]-1;
         if :: r == 0 -> sub[me] = 0; latch[me] = 0;
               if :: pend[me] -> pend[me] = 0; fl[me] = fl[me]-1 :: else fi; got()
            :: else -> wt[me] = r; r = 0; pc = WAIT fi }
    :: d_step { pc == WAIT && LIVE && (latch[me] || wt[me] == 0) ->
         latch[me] = 0; wt[me] = 0; pc = BQ; fl[me] = fl[me]+1 }
    :: d_step { pend[me] && LIVE -> pend[me] = 0; latch[me] = 1; fl[me] = fl[me]-1 }
    :: d_step { pc == CS && LIVE && held < MAXRE -> pc = AQ; fl[me] = fl[me]+1 }
    :: d_step { pc == CS && LIVE -> pc = UQ; fl[me] = fl[me]+1;
         if :: held == 1 -> incs = incs-1 :: else fi }
    :: d_step { pc == UQ -> srv_release(); pc = UR }
    :: d_step { pc == UR && LIVE -> fl[me] = fl[me]-1;
         if :: r == 0 -> if :: held > 1 -> incs = incs-1 :: else fi; held = 0      /* IllegalMonitorState */
            :: else -> held = held-1 fi;
         r = 0;
         if :: held == 0 -> wd[me] = 0; pc = IDLE;
#if !STALE
               if :: ws == 1 -> ws = 4 :: ws == 2 || ws == 3 -> ws = 5 :: else fi
#endif
            :: else -> pc = CS fi }
    /* the watchdog */
    :: d_step { wd[me] == 1 && ws == 0 && LIVE -> ws = 1; fl[me] = fl[me]+1 }
    :: d_step { ws == 1 -> if :: owner == me+1 -> ttl = LEASE; WROTE; ws = 2 :: else -> ws = 3 fi;
         if :: pc == DEAD -> ws = 0; fl[me] = 0 :: else fi }
#if !STALE
    :: d_step { ws == 4 -> ws = 5; if :: owner == me+1 -> ttl = LEASE; WROTE :: else fi;
         if :: pc == DEAD -> ws = 0; fl[me] = 0 :: else fi }
    :: d_step { ws == 5 && LIVE -> fl[me] = fl[me]-1; ws = 0 }
#endif
    :: d_step { (ws == 2 || ws == 3) && LIVE -> fl[me] = fl[me]-1;
         if :: wd[me] -> wd[me] = (ws == 2 -> WP+1 : 0) :: else fi; ws = 0 }
    /* crash: an acquire already sent still reaches the server (the worst case); others are dropped */
    :: d_step { crashes > 0 && pc != DEAD && LIVE ->
         crashes = crashes-1;
         if :: held > 0 && !(held == 1 && (pc == UQ || pc == UR)) -> incs = incs-1 :: else fi;
         if :: pc == AQ || pc == BQ -> srv_acquire() :: else fi;
         held = 0; r = 0; pc = DEAD; wd[me] = 0; wt[me] = 0; sub[me] = 0; pend[me] = 0; latch[me] = 0;
         if :: ws == 1 || ws == 4 -> fl[me] = 1 :: else -> ws = 0; fl[me] = 0 fi }
#if PAUSE
    :: d_step { pauses > 0 && pc != DEAD -> pauses = pauses-1; paused = me+1 }
    :: d_step { paused == me+1 -> paused = 0 }
#endif
    od
}

#define OK(i) ((fl[i] == 0 && wd[i] != 1) || HELDUP(i))
#if N == 2
#define ALLOK (OK(0) && OK(1))
#elif N == 3
#define ALLOK (OK(0) && OK(1) && OK(2))
#elif N == 4
#define ALLOK (OK(0) && OK(1) && OK(2) && OK(3))
#else
#define ALLOK (OK(0) && OK(1) && OK(2) && OK(3) && OK(4))
#endif
inline tick1(i) {
    if :: wd[i] > 1 -> wd[i] = wd[i]-1 :: else fi;
    if :: wt[i] > 0 -> wt[i] = wt[i]-1 :: else fi }

proctype Env() {
    do
    :: d_step { ALLOK ->
         if :: ttl > 0 -> ttl = ttl-1; if :: ttl == 0 -> owner = 0; cnt = 0 :: else fi :: else fi;
#if FAIL
         if :: rttl > 0 -> rttl = rttl-1; if :: rttl == 0 -> rowner = 0; rcnt = 0 :: else fi :: else fi;
#endif
         tick1(0); tick1(1);
#if N > 2
         tick1(2);
#endif
#if N > 3
         tick1(3);
#endif
#if N > 4
         tick1(4);
#endif
       }
#if FAIL
    :: d_step { dirty -> rowner = owner; rcnt = cnt; rttl = ttl; dirty = 0 }
    :: d_step { failovers > 0 -> failovers = failovers-1; owner = rowner; cnt = rcnt; ttl = rttl; dirty = 0 }
#endif
    od
}

init { atomic { byte i; for (i : 0 .. N-1) { run Client(i) }; i = 0; run Env() } }
