'use strict';
// Going through the scenario by hand, as far as the page knows it: a way is a list of places in the lists of
// moves of one state after the other, from the first state of the run that is known.
const byHand = (hand, tools) => {
  const {make, button, copies} = tools;
  const part = 2, fault = 1;
  let way = [], said = '';
  const text = number => hand.texts[number];
  const state = number => {
    const [time, shown, possible, moves] = hand.states[number];
    const listed = moves.map(([index, move, flags, to, told]) => (
      {index, move: text(move), fault: (flags & fault) !== 0, part: (flags & part) !== 0, to,
       told: told.map(text)}));
    return {time: text(time), shown: text(shown), possible, moves: listed};
  };
  /// The states on the way, the first included; it ends before a move that is not known.
  const along = steps => {
    const states = [hand.run[0]];
    for (const step of steps) {
      const move = hand.states[states[states.length - 1]][3][step];
      if (!move || move[3] < 0) break;
      states.push(move[3]);
    }
    return states;
  };
  const here = () => along(way)[way.length];
  /// So many decisions are those of the run.
  const shared = () => {
    let count = 0;
    while (count < way.length && count < hand.taken.length && way[count] === hand.taken[count]) ++count;
    return count;
  };
  const moveAt = place => state(along(way)[place]).moves[way[place]];

  const trail = () => {
    const lines = hand.before.map(([index, move, , possible]) => index + '/' + possible + ' ' + text(move));
    along(way).slice(0, way.length).forEach((number, i) => {
      const one = state(number), move = one.moves[way[i]];
      lines.push(move.index + '/' + one.possible + ' ' + move.move);
    });
    const head = hand.head.replace(/^(lines +)= (\d+)$/m,
                                   (all, word, count) => word + '= ' + (parseInt(count, 10) + lines.length));
    return head + lines.join('\n') + '\n';
  };
  /// A number stands for each move, but for one that a sampled run cut short.
  const command = () => {
    const parts = hand.before.some(one => one[2]) || way.some((step, i) => moveAt(i).part);
    if (parts) return '';
    const numbers = hand.before.map(one => one[0]).concat(way.map((step, i) => moveAt(i).index));
    return hand.command + (numbers.length ? ' --choose ' + numbers.join(',') : '');
  };

  const act = {
    /// `place`: in the list of moves here.
    choose: place => {
      const move = state(here()).moves[place];
      if (!move) return;
      said = move.to < 0 ? 'What comes of ' + move.move + ' is not in this page.' : '';
      if (move.to >= 0) way.push(place);
    },
    number: index => act.choose(state(here()).moves.findIndex(move => move.index === index && !move.part)),
    undo: () => { said = way.length ? '' : 'This is the start.'; way.pop(); },
    back: count => { said = ''; way = way.slice(0, count); },
    /// On by default until who holds, believes or waits is another.
    jump: () => {
      const before = state(here()).shown;
      let steps = 0;
      for (;;) {
        const move = state(here()).moves[0];
        if (!move || move.fault) {
          said = 'By default nothing more happens; what is left are faults, if anything.';
          break;
        }
        if (move.to < 0) {
          said = 'Here ends what this page knows.';
          break;
        }
        way.push(0);
        ++steps;
        said = '';
        if (state(here()).shown !== before) break;
        if (steps > hand.states.length) break;
      }
      if (steps) said = steps + (steps === 1 ? ' step on. ' : ' steps on. ') + said;
    },
    /// To where the run was before its decision of this number, from 1.
    decision: number => {
      said = '';
      const count = Math.max(0, Math.min(hand.taken.length, number - 1 - hand.before.length));
      way = hand.taken.slice(0, count);
    },
    link: () => way.join('.'),
    fromLink: link => {
      const steps = link.split('.').filter(one => one !== '').map(one => parseInt(one, 10));
      way = steps.slice(0, along(steps).length - 1);
      said = way.length === steps.length ? '' : 'The link leads further than this page knows.';
    }
  };

  const list = (pane, title, id, lines) => {
    make(pane, 'h2', title);
    const part = make(pane, 'ul', undefined, {id});
    for (const line of lines) make(part, 'li', line);
  };
  const moves = (pane, now, again) => {
    make(pane, 'h2', now.moves.length ? 'What may happen next' : 'Nothing more can happen');
    const part = make(pane, 'ol', undefined, {id: 'moves'});
    now.moves.forEach((move, place) => {
      const words = (move.part ? 'as the run did: ' : move.index + '  ') + move.move +
        (move.fault ? '   (fault)' : move.index === 0 && !move.part ? '   (default)' : '') +
        (move.to < 0 ? '   … not in this page' : '');
      const one = button(make(part, 'li'), words, {'data-move': place},
                         () => { act.choose(place); again(); });
      if (move.to < 0) one.disabled = true;
    });
  };

  /// Fills the pane; `again` shows it once more after something was chosen.
  act.draw = (pane, again) => {
    pane.replaceChildren();
    const own = way.length - shared(), now = state(here());
    const decisions = hand.before.length + shared();
    make(pane, 'div', (decisions === 0 ? 'At the start' : 'Behind decision ' + decisions + ' of the run') +
         (own === 0 ? '' : ', and ' + own + ' of your own') + ' · ' + now.time, {id: 'place'});
    make(pane, 'pre', now.shown, {id: 'view'});
    if (said) make(pane, 'div', said, {id: 'said', role: 'status'});
    if (way.length) list(pane, 'What happened', 'happened', moveAt(way.length - 1).told);
    moves(pane, now, again);
    const row = make(pane, 'div');
    for (const [words, id, what] of [['u  take the last step back', 'undo', act.undo],
                                     ['n  on to the next change of a lock', 'jump', act.jump]])
      button(row, words, {id}, () => { what(); again(); });
    make(row, 'a', 'save as a trail',
         {id: 'save', download: 'by-hand.trail',
          href: 'data:text/plain;charset=utf-8,' + encodeURIComponent(trail())});
    const onward = make(pane, 'div', (hand.whole ? 'This page knows all that may follow, ' :
      'This page ends where it says so; it knows what is nearest to the run, ') +
      hand.states.length + ' states. To go on from here in a terminal: ');
    const line = command() || 'save the trail, and lockstep step by-hand.trail';
    make(onward, 'code', line, {id: 'onward'});
    copies(onward, line, 'copy-onward');
    make(pane, 'h2', 'The way');
    const steps = make(pane, 'ol', undefined, {id: 'way'});
    way.forEach((step, i) => {
      const words = (hand.before.length + i + 1) + '  ' + moveAt(i).move + (i < shared() ? '' : '   (yours)');
      button(make(steps, 'li'), words, {'data-step': i}, () => { act.back(i + 1); again(); });
    });
  };
  return act;
};
