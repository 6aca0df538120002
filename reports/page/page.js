'use strict';
(() => {
  const data = JSON.parse(document.getElementById('lockstep-data').textContent);
  const events = data.events;
  let at = 0, tab = data.pictures.length ? data.pictures[0].name : '', sought = '';

  const make = (parent, tag, text, attributes) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    parent.appendChild(element);
    return element;
  };

  // What the page is about.
  const header = make(document.body, 'header');
  make(header, 'h1', data.scenario + ' · ' + data.scripts + ' · ' + data.result);
  if (data.about) make(header, 'div', data.about);
  const verdicts = make(header, 'ul', undefined, {id: 'verdicts'});
  events.forEach((event, place) => {
    if (event.kind !== 'prop') return;
    const line = make(verdicts, 'li', undefined);
    make(line, 'a', 'violated: ' + event.what, {href: '#event=' + place});
  });
  make(header, 'div', 'One run is shown here; that nothing breaks in it says nothing of others.');
  if (data.again) {
    const line = make(header, 'div', 'Again: ');
    make(line, 'code', data.again, {id: 'again'});
    const copy = make(line, 'button', 'copy', {id: 'copy', type: 'button'});
    copy.addEventListener('click', () => {
      const area = make(document.body, 'textarea');
      area.value = data.again;
      area.select();
      copy.textContent = document.execCommand('copy') ? 'copied' : 'mark the line and copy it';
      area.remove();
    });
  }
  const help = make(header, 'div',
    'Keys: ↓ → j next event, ↑ ← k the one before, Home and End, v next violation, ' +
    't next picture, / search, n next found, ? these words', {id: 'help', hidden: ''});
  const search = make(header, 'input', undefined,
    {id: 'search', 'aria-label': 'search in the events', placeholder: '/ search  ·  ? keys'});

  const main = make(document.body, 'main');
  const list = make(make(main, 'section'), 'ol', undefined, {id: 'events'});
  const rows = events.map((event, place) => {
    const row = make(list, 'li', event.index + '  ' + event.time + '  ' + event.who + '  ' + event.what,
                     {'data-event': place});
    if (event.kind === 'prop') row.className = 'prop';
    row.addEventListener('click', () => show(place));
    return row;
  });

  const centre = make(main, 'section');
  const tabs = make(centre, 'div', undefined, {role: 'tablist'});
  const panes = data.pictures.map(picture => {
    const button = make(tabs, 'button', picture.name, {role: 'tab', type: 'button', 'data-tab': picture.name});
    button.addEventListener('click', () => { tab = picture.name; show(at); });
    const pane = make(centre, 'div', picture.missing || undefined, {'data-pane': picture.name});
    if (picture.svg) {
      // Graphviz writes the colours of gradients as styles, which the policy of this page refuses.
      const text = picture.svg.replace(/ style="stop-color:([^;"]*);stop-opacity:([^;"]*);?"/g,
                                       ' stop-color="$1" stop-opacity="$2"');
      const drawn = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
      pane.appendChild(document.importNode(drawn, true));
      pane.addEventListener('click', event => {
        const part = event.target.closest('[id^="ev-"]');
        const index = part ? parseInt(part.id.slice(3), 10) : NaN;
        const place = events.findIndex(one => one.index === index);
        if (place >= 0) show(place);
      });
    }
    return {name: picture.name, button, pane};
  });
  const facts = make(main, 'section', undefined, {id: 'facts'});

  const told = (title, lines, id) => {
    make(facts, 'h2', title);
    const part = make(facts, 'ul', undefined, {id});
    for (const [text, sort] of lines.length ? lines : [['nothing', '']]) {
      const line = make(part, 'li', text);
      if (sort) line.className = sort;
    }
  };

  const truths = () => {
    const known = new Map();
    for (let i = 0; i <= at; ++i) for (const one of events[i].truths) known.set(one.lock, one.holds);
    return [...known].map(([lock, holds]) => [lock + ': ' + (holds.join('; ') || 'free'), '']);
  };
  const changes = () => {
    const present = new Set();
    for (let i = 0; i < at; ++i)
      for (const one of events[i].changes) one.present ? present.add(one.key) : present.delete(one.key);
    return events[at].changes.map(one => {
      const sign = !one.present ? '− ' : present.has(one.key) ? '~ ' : '+ ';
      return [sign + one.text, ''];
    });
  };
  const stored = () => {
    const keys = new Map();
    for (let i = 0; i <= at; ++i)
      for (const one of events[i].changes) one.present ? keys.set(one.key, one.text) : keys.delete(one.key);
    return [...keys.values()].map(text => [text, '']);
  };
  const choice = () => {
    let i = at;
    while (i > 0 && !events[i].choice) --i;
    const made = events[i].choice;
    if (!made) return [];
    const others = made[1] - 1;
    return [['move ' + made[0] + ' of ' + made[1] + (i === at ? '' : ', with event ' + events[i].index), ''],
            [(made[0] === 0 ? 'the default one' : 'not the default one') + '; ' + others + ' not taken', '']];
  };

  const show = place => {
    if (!events.length) return;
    at = Math.max(0, Math.min(events.length - 1, place));
    rows.forEach((row, i) => row.setAttribute('aria-current', i === at ? 'true' : 'false'));
    rows[at].scrollIntoView({block: 'nearest'});
    for (const one of panes) {
      one.pane.hidden = one.name !== tab;
      one.button.setAttribute('aria-selected', one.name === tab ? 'true' : 'false');
      for (const old of one.pane.querySelectorAll('.marked')) old.classList.remove('marked');
      const part = one.pane.querySelector('[id="ev-' + events[at].index + '"]');
      if (part) part.classList.add('marked');
    }
    facts.replaceChildren();
    told('Event ' + events[at].index, [[events[at].all, '']], 'event');
    told('Changed here', changes(), 'changes');
    told('Truth', truths(), 'truth');
    told('Belief', data.bands.filter(one => one.begin <= at && at < one.end).map(one => [
      one.thread + (one.standing === 'mistaken' ? ' believes to hold ' : ' ' + one.standing + ' ') + one.lock +
      (one.standing === 'mistaken' ? ', and does not' : ''), one.standing]), 'belief');
    told('Stored', stored(), 'stored');
    told('Choice', choice(), 'choice');
    main.setAttribute('data-event', at);
    history.replaceState(null, '', '#event=' + at + '&tab=' + encodeURIComponent(tab));
  };

  const find = (from, step, fits) => {
    for (let i = from + step; i >= 0 && i < events.length; i += step) if (fits(events[i])) return show(i);
  };
  const found = event => sought && (event.all + ' ' + event.what).toLowerCase().includes(sought.toLowerCase());

  const nextTab = () => {
    const now = panes.findIndex(one => one.name === tab);
    if (panes.length) tab = panes[(now + 1) % panes.length].name;
    show(at);
  };
  const keys = {
    ArrowDown: () => show(at + 1), ArrowRight: () => show(at + 1), j: () => show(at + 1),
    ArrowUp: () => show(at - 1), ArrowLeft: () => show(at - 1), k: () => show(at - 1),
    Home: () => show(0), End: () => show(events.length - 1),
    v: () => find(at, 1, event => event.kind === 'prop'), n: () => find(at, 1, found),
    t: nextTab, '/': () => search.focus(), '?': () => { help.hidden = !help.hidden; }
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target === search) {
      if (event.key === 'Enter') { sought = search.value; search.blur(); find(at, 1, found); }
      if (event.key === 'Escape') search.blur();
      return;
    }
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });

  const fromLink = () => {
    const link = new URLSearchParams(location.hash.slice(1));
    if (panes.some(one => one.name === link.get('tab'))) tab = link.get('tab');
    const wanted = parseInt(link.get('event'), 10);
    show(Number.isNaN(wanted) ? 0 : wanted);
  };
  window.addEventListener('hashchange', fromLink);
  fromLink();
  main.setAttribute('data-ready', '1');
  if (location.search === '?selftest') {  // steps as a hand would, for the test in a browser
    for (const key of ['j', 'j', 'k', 'v', '?'])
      document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    main.setAttribute('data-tested', '1');
  }
})();
