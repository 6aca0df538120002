'use strict';
(() => {
  const data = JSON.parse(document.getElementById('lockstep-data').textContent);
  const events = data.events;
  const earlier = data.earlier || {events: 0, later: 0, changes: [], truths: []};
  let at = 0, pinned = -1, compared = -1, sought = '', only = false;
  const picked = {who: new Set(), kind: '', about: ''};  // what is listed; nothing picked: all
  let tab = data.pictures.length ? data.pictures[0].name : 'beside';

  const make = (parent, tag, text, attributes) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    if (attributes && attributes.id) element.setAttribute('data-testid', attributes.id);
    parent.appendChild(element);
    return element;
  };
  const button = (parent, text, attributes, act) => {
    const element = make(parent, 'button', text, {type: 'button', ...attributes});
    element.addEventListener('click', act);
    return element;
  };
  const copies = (parent, text, id) => {
    const element = button(parent, 'copy', {id}, () => {
      const area = make(document.body, 'textarea');
      area.value = text;
      area.select();
      element.textContent = document.execCommand('copy') ? 'copied' : 'mark the line and copy it';
      area.remove();
    });
  };

  const {header, help} = heading(data, {make, copies});
  const search = make(header, 'input', undefined,
    {id: 'search', 'aria-label': 'search in the events', placeholder: '/ search  ·  ? keys'});
  const filters = make(header, 'div', undefined, {id: 'filters'});
  const main = make(document.body, 'main');

  // Who owns what, as events begin and end it.
  const matters = events.map(event =>
    event.changes.length > 0 || event.truths.length > 0 || event.kind === 'prop' || event.fault);
  const turns = events.map(event => event.truths.length > 0);
  for (const band of data.bands)
    for (const place of [band.begin, band.end])
      if (place < events.length) matters[place] = turns[place] = true;

  // Only some of the events.
  const listed = (event, i) => (!only || matters[i] || i === at) &&
    (!picked.who.size || picked.who.has(event.who)) && (!picked.kind || event.kind === picked.kind) &&
    (!picked.about || event.about.includes(picked.about));
  const chips = [...new Set(events.map(one => one.who).filter(who => who))].map(who =>
    button(filters, who, {'data-who': who, 'aria-pressed': 'false'}, () => {
      if (!picked.who.delete(who)) picked.who.add(who);
      show(at);
    }));
  const pickers = ['kind', 'about'].map(what => {
    const words = what === 'kind' ? 'every kind of event' : 'every lock and key';
    const one = make(filters, 'select', undefined, {id: 'only-' + what, 'aria-label': words});
    make(one, 'option', words, {value: ''});
    for (const value of [...new Set(events.flatMap(event => event[what]))].sort())
      make(one, 'option', value, {value});
    one.addEventListener('change', () => { picked[what] = one.value; show(at); });
    return [what, one];
  });

  /// Why an event could happen, back to the first cause.
  const placeOf = new Map(events.map((event, place) => [event.index, place]));
  const chain = event => {
    const lines = [event.all];
    for (let one = event; one && one.cause !== undefined && lines.length < 12;) {
      one = events[placeOf.get(one.cause)];
      if (one) lines.push('because of ' + one.index + '  ' + one.who + '  ' + one.what);
    }
    return lines.join('\n');
  };

  const list = eventList(make(main, 'section'), events, data.rows, {
    make, why: place => chain(events[place]), choose: place => show(place),
    words: place => {
      const event = events[place];
      return event.index + '  ' + event.time + '  ' + event.who + '  ' + event.what;
    }
  });

  // Pictures, each as large as one wants it.
  const centre = make(main, 'section');
  const bar = make(centre, 'div', undefined, {id: 'bar'});
  const tabs = make(bar, 'span', undefined, {role: 'tablist'});
  /// A part of a picture stands for an event, or is marked with some: then the next of them is shown.
  const picksEvent = (id, marks) => {
    const index = id.startsWith('ev-') ? parseInt(id.slice(3), 10) : NaN;
    if (placeOf.has(index)) return show(placeOf.get(index)) || true;
    const places = Object.keys(marks).filter(place => marks[place] === id).map(Number);
    if (places.length) show(places.find(place => place > at) ?? places[0]);
    return places.length > 0;
  };
  const clicked = (event, marks) => {
    for (let part = event.target.closest('[id]'); part; part = part.parentElement.closest('[id]'))
      if (picksEvent(part.id, marks)) return;
  };
  const drawn = (pane, svg, marks) => {
    // Graphviz writes the colours of gradients as styles, which the policy of this page refuses.
    const text = svg.replace(/ style="stop-color:([^;"]*);stop-opacity:([^;"]*);?"/g,
                             ' stop-color="$1" stop-opacity="$2"');
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
    const picture = document.importNode(parsed, true);
    pane.appendChild(picture);
    pane.addEventListener('click', event => clicked(event, marks));
    const box = (picture.getAttribute('viewBox') || '').split(/[ ,]+/).map(Number);
    return {picture, width: box[2] || 0, height: box[3] || 0};
  };
  const panes = data.pictures.map(picture => {
    const head = button(tabs, picture.name, {role: 'tab', 'data-tab': picture.name},
                        () => { tab = picture.name; show(at); });
    const pane = make(centre, 'div', picture.missing || undefined, {'data-pane': picture.name});
    const one = {name: picture.name, head, pane, marks: picture.marks || {}, scale: 1, picture: null};
    // One stands in the page as it is, for readers without JavaScript.
    const plain = picture.plain ? document.querySelector('noscript').textContent : '';
    const inside = plain.slice(plain.indexOf('<svg'), plain.lastIndexOf('</svg>') + 6);
    const svg = picture.plain ? inside : picture.svg;
    if (svg) Object.assign(one, drawn(pane, svg, one.marks));
    if (picture.drawing)
      one.painted = painted(pane, picture.drawing, {make, picked: id => picksEvent(id, one.marks)});
    return one;
  });
  const rowOf = new Map();  // of the table of both runs, by place of the event
  if (data.beside) {
    const head = button(tabs, 'beside', {role: 'tab', 'data-tab': 'beside'},
                        () => { tab = 'beside'; show(at); });
    const pane = make(centre, 'div', undefined, {'data-pane': 'beside'}), marks = {};
    make(pane, 'div', data.beside.in ? 'They differ in ' + data.beside.in + '.' : 'They tell the same.');
    const table = make(pane, 'table', undefined, {id: 'beside'}), names = make(table, 'tr');
    for (const name of [data.beside.a, data.beside.b]) make(names, 'th', name);
    data.beside.rows.forEach((row, i) => {
      const both = make(table, 'tr', undefined, {id: 'row-' + i, class: row.differs ? 'differs' : 'same'});
      make(both, 'td', row.a === undefined ? '' : row.a + '  ' + row.text);
      make(both, 'td', row.b === undefined ? '' : row.b + '  ' + (row.other ? 'at ' + row.other : row.text));
      const place = events.findIndex(event => event.index === row.a);
      if (place < 0) return;
      rowOf.set(place, i);
      marks[place] = 'row-' + i;
      both.addEventListener('click', () => show(place));
    });
    panes.push({name: 'beside', head, pane, marks, scale: 1, picture: null});
  }
  let hand = null;
  if (data.hand) {
    hand = byHand(data.hand, {make, button, copies});
    const head = button(tabs, 'by hand', {role: 'tab', 'data-tab': 'by-hand'},
                        () => { tab = 'by-hand'; show(at); });
    panes.push({name: 'by-hand', head, pane: make(centre, 'div', undefined, {'data-pane': 'by-hand'}),
                marks: {}, scale: 1, picture: null});
  }
  if (!panes.some(one => one.name === tab) && panes.length) tab = panes[0].name;
  const shown = () => panes.find(one => one.name === tab);
  const zoom = factor => {
    const one = shown();
    if (!one || !(one.painted || (one.picture && one.width))) return;
    one.scale = factor === 0 ? 1 : Math.max(0.2, Math.min(8, one.scale * factor));
    if (one.painted) one.painted.zoom(one.scale);
    else for (const side of ['width', 'height'])
      one.picture.setAttribute(side, Math.round(one[side] * one.scale) + 'pt');
    one.pane.setAttribute('data-scale', one.scale.toFixed(2));
  };
  for (const [sign, factor, words] of [['+', 1.25, 'larger'], ['−', 0.8, 'smaller'], ['1:1', 0, 'as it was']])
    button(bar, sign, {title: words, 'aria-label': words, 'data-zoom': words}, () => zoom(factor));

  const facts = make(main, 'section', undefined, {id: 'facts'});
  const told = (title, lines, id) => {
    make(facts, 'h2', title);
    const part = make(facts, 'ul', undefined, {id});
    for (const [text, sort] of lines.length ? lines : [['nothing', '']]) {
      const line = make(part, 'li', text);
      if (sort) line.className = sort;
    }
    return part;
  };

  const truthsAfter = last => {
    const known = new Map(earlier.truths.map(one => [one.lock, one.holds.join('; ') || 'free']));
    for (let i = 0; i <= last; ++i)
      for (const one of events[i].truths) known.set(one.lock, one.holds.join('; ') || 'free');
    return known;
  };
  const truths = () => [...truthsAfter(at)].map(([lock, holds]) => [lock + ': ' + holds, '']);
  const bandsAt = place => data.bands.filter(one => one.begin <= place && place < one.end);
  /// The keys and their fields after event `last`.
  const storedAfter = last => {
    const keys = new Map(earlier.changes.filter(one => one.present).map(one => [one.key, one]));
    for (let i = 0; i <= last; ++i)
      for (const one of events[i].changes) one.present ? keys.set(one.key, one) : keys.delete(one.key);
    return keys;
  };
  /// What became of each field: added, gone, or another value.
  const changes = () => {
    const before = storedAfter(at - 1), lines = [];
    for (const one of events[at].changes) {
      const old = before.get(one.key);
      if (!one.present) { lines.push(['− ' + one.key, 'gone']); continue; }
      lines.push([(old ? '~ ' : '+ ') + one.key, old ? 'other' : 'new']);
      const was = new Map(old ? old.fields : []), is = new Map(one.fields);
      const say = (name, value) => (name ? name + ': ' : '') + value;
      for (const [name, value] of is) {
        if (!was.has(name)) lines.push(['    + ' + say(name, value), 'new']);
        else if (was.get(name) !== value)
          lines.push(['    ~ ' + say(name, was.get(name) + ' → ' + value), 'other']);
      }
      for (const [name, value] of was) if (!is.has(name)) lines.push(['    − ' + say(name, value), 'gone']);
    }
    return lines;
  };

  /// All that is known after an event, by what it is called.
  const knownAfter = last => {
    const known = new Map();
    for (const [lock, holds] of truthsAfter(last)) known.set('truth, ' + lock, holds);
    for (const one of bandsAt(last)) known.set('belief, ' + one.thread + ' of ' + one.lock, one.standing);
    for (const one of storedAfter(last).values()) {
      known.set(one.key, 'stored');
      for (const [name, value] of one.fields) known.set(one.key + ' ' + name, value);
    }
    return known;
  };
  /// What differs between the pinned event and this one.
  const against = () => {
    const was = knownAfter(pinned), is = knownAfter(at), lines = [];
    for (const [name, value] of is) {
      const old = was.get(name);
      if (old === undefined) lines.push(['+ ' + name + ': ' + value, 'new']);
      else if (old !== value) lines.push(['~ ' + name + ': ' + old + ' → ' + value, 'other']);
    }
    for (const [name, value] of was) if (!is.has(name)) lines.push(['− ' + name + ': ' + value, 'gone']);
    return lines;
  };
  const pin = place => { pinned = pinned === place ? -1 : place; show(at); };

  // What could have happened instead.
  const counted = () => {
    let i = at;
    while (i > 0 && !events[i].choice) --i;
    const made = events[i].choice;
    if (!made) return [];
    return [['move ' + made[0] + ' of ' + made[1] + (i === at ? '' : ', with event ' + events[i].index), ''],
            [(made[0] === 0 ? '' : 'not ') + 'the default one; ' + (made[1] - 1) + ' not taken', '']];
  };
  const choiceHere = () => {
    let choice = null;
    for (const one of data.choices) if (one.event <= at) choice = one;
    return choice;
  };
  /// Goes on by hand from before the decision that this event came of, perhaps with another move.
  const fromHere = index => {
    const choice = choiceHere();
    if (!hand || !choice) return;
    hand.decision(choice.decision);
    if (index !== undefined) hand.number(index);
    tab = 'by-hand';
    show(at);
  };
  const ways = () => {
    const choice = choiceHere();
    if (!choice) return void told('Choice', counted(), 'choice');
    make(facts, 'h2', 'Choice: decision ' + choice.decision);
    const part = make(facts, 'ul', undefined, {id: 'choice'});
    choice.ways.forEach((way, place) => {
      const line = make(part, 'li', undefined, {'data-way': place});
      if (way.taken) return void make(line, 'b', '● ' + place + ' ' + way.move + ' (taken)');
      if (!way.outcome) return void make(line, 'span', '○ ' + place + ' ' + way.move);
      const details = make(line, 'details');
      make(details, 'summary', '○ ' + place + ' ' + way.move + ': ' + way.outcome,
           way.breaks ? {class: 'bad'} : {});
      const story = make(details, 'ol');
      for (const text of way.story) make(story, 'li', text);
      const again = make(details, 'div', 'From there by hand: ');
      make(again, 'code', way.again);
      copies(again, way.again, 'copy-' + choice.decision + '-' + place);
      if (hand) button(again, 'here', {'data-hand': place}, () => fromHere(place));
    });
    if (hand) button(facts, 'by hand from before this decision', {id: 'from-here'}, () => fromHere());
    make(facts, 'div', 'Each way is one move that was not taken, and the default behind it. ' + (hand ?
         'The tab by hand goes further, as far as this page knows; the command, as far as one likes.' :
         'The command goes on from there.'), {class: 'hint'});
  };
  const cause = () => {
    const place = events.findIndex(one => one.index === events[at].cause);
    if (events[at].cause === undefined || place < 0) return;
    make(make(facts, 'div', 'because of '), 'a', 'event ' + events[at].cause,
         {href: '#event=' + place, id: 'cause'});
  };

  const mark = one => {
    for (const old of one.pane.querySelectorAll('.marked')) old.classList.remove('marked');
    const id = one.marks[at] || 'ev-' + events[at].index;
    if (one.painted) return one.painted.mark(id);
    const part = one.pane.querySelector('[id="' + id + '"]');
    if (!part) return;
    part.classList.add('marked');
    if (one.name === tab) part.scrollIntoView({block: 'nearest', inline: 'nearest'});
  };

  const show = place => {
    if (!events.length) return;
    at = Math.max(0, Math.min(events.length - 1, place));
    compared = rowOf.has(at) ? rowOf.get(at) : compared;
    for (const chip of chips)
      chip.setAttribute('aria-pressed', picked.who.has(chip.dataset.who) ? 'true' : 'false');
    for (const [what, one] of pickers) one.value = picked[what];
    if (hand) hand.draw(panes.find(one => one.name === 'by-hand').pane, () => show(at));
    list.draw(at, pinned, listed);
    for (const one of panes) {
      one.pane.hidden = one.name !== tab;
      one.head.setAttribute('aria-selected', one.name === tab ? 'true' : 'false');
      mark(one);
    }
    facts.replaceChildren();
    told('Event ' + events[at].index, [[events[at].all, '']], 'event');
    cause();
    button(facts, pinned === at ? 'let go of this event' : 'pin this event', {id: 'pin'}, () => pin(at));
    if (pinned >= 0 && pinned !== at)
      told('Since event ' + events[pinned].index + ', pinned', against(), 'against');
    told('Changed here', changes(), 'changes');
    told('Truth', truths(), 'truth');
    told('Belief', bandsAt(at).map(one => [
      one.thread + (one.standing === 'mistaken' ? ' believes to hold ' : ' ' + one.standing + ' ') +
      one.lock + (one.standing === 'mistaken' ? ', and does not' : ''), one.standing]), 'belief');
    told('Stored', [...storedAfter(at).values()].map(one => [one.text, '']), 'stored');
    ways();
    main.setAttribute('data-event', at);
    const link = new URLSearchParams({event: at, tab});
    if (pinned >= 0) link.set('pin', pinned);
    if (picked.who.size) link.set('actors', [...picked.who].join(','));
    if (picked.kind) link.set('kind', picked.kind);
    if (picked.about) link.set('about', picked.about);
    if (hand && hand.link()) link.set('way', hand.link());
    history.replaceState(null, '', '#' + link);
  };

  const find = (from, step, fits) => {
    for (let i = from + step; i >= 0 && i < events.length; i += step) if (fits(events[i], i)) return show(i);
  };
  const found = event =>
    sought && (event.all + ' ' + event.what).toLowerCase().includes(sought.toLowerCase());
  const go = step => {
    let place = at + step;
    while (place > 0 && place < events.length - 1 && !listed(events[place], place)) place += step;
    show(place);
  };
  const nextTab = () => {
    const now = panes.findIndex(one => one.name === tab);
    if (panes.length) tab = panes[(now + 1) % panes.length].name;
    show(at);
  };
  /// The next row in which the runs differ, and the event of this one that it stands at or behind.
  const nextDifference = () => {
    const rows = data.beside ? data.beside.rows : [];
    const found = rows.findIndex((row, i) => i > compared && row.differs);
    if (found < 0) return;
    let place = at;
    for (const [event, row] of rowOf) if (row <= found) place = event;
    tab = 'beside';
    show(place);
    compared = found;
    for (const old of document.querySelectorAll('#beside .marked')) old.classList.remove('marked');
    const row = document.getElementById('row-' + found);
    row.classList.add('marked');
    row.scrollIntoView({block: 'nearest'});
  };
  const keys = {
    ArrowDown: () => go(1), ArrowRight: () => go(1), j: () => go(1),
    ArrowUp: () => go(-1), ArrowLeft: () => go(-1), k: () => go(-1),
    Home: () => show(0), End: () => show(events.length - 1),
    v: () => find(at, 1, event => event.kind === 'prop'), n: () => find(at, 1, found),
    o: () => find(at, 1, (event, i) => turns[i]), O: () => find(at, -1, (event, i) => turns[i]),
    d: nextDifference, p: () => pin(at), f: () => { only = !only; show(at); },
    '+': () => zoom(1.25), '-': () => zoom(0.8), '0': () => zoom(0),
    t: nextTab, b: () => fromHere(), '/': () => search.focus(), '?': () => { help.hidden = !help.hidden; }
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target === search) {
      if (event.key === 'Enter') { sought = search.value; search.blur(); find(at, 1, found); }
      if (event.key === 'Escape') search.blur();
      return;
    }
    if (event.target.tagName === 'SELECT') return;
    const inHand = {u: hand && hand.undo, n: hand && hand.jump};
    const taken = hand && tab === 'by-hand' &&
      (/^[0-9]$/.test(event.key) ? () => hand.number(Number(event.key)) : inHand[event.key]);
    if (!taken && !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    if (!taken) return keys[event.key]();
    taken();
    show(at);
  });

  const fromLink = () => {
    const link = new URLSearchParams(location.hash.slice(1));
    if (panes.some(one => one.name === link.get('tab'))) tab = link.get('tab');
    const wanted = parseInt(link.get('event'), 10), held = parseInt(link.get('pin'), 10);
    if (held >= 0 && held < events.length) pinned = held;
    picked.who = new Set((link.get('actors') || '').split(',').filter(one => chips.some(
      chip => chip.dataset.who === one)));
    for (const [what, one] of pickers)
      picked[what] = [...one.options].some(option => option.value === link.get(what)) ? link.get(what) : '';
    if (hand && link.has('way')) hand.fromLink(link.get('way'));
    show(Number.isNaN(wanted) ? 0 : wanted);
  };
  window.addEventListener('hashchange', fromLink);
  fromLink();
  main.setAttribute('data-ready', '1');
  if (location.search === '?selftest') {  // steps as a hand would, for the test in a browser
    selfTest({
      make, events, data, matters, list, help, hand, choiceHere,
      get at() { return at; }, get pinned() { return pinned; }, get tab() { return tab; },
      open: name => { tab = name; show(at); }
    });
    main.setAttribute('data-tested', '1');
  }
})();
