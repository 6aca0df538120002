'use strict';
// What the page is about: the run, what is broken in it, how to see it again, and what was run.
const heading = (data, {make, copies}) => {
  const earlier = data.earlier || {events: 0, later: 0};
  const header = make(document.body, 'header');
  make(header, 'h1', data.scenario + ' · ' + data.scripts + ' · ' + data.result);
  if (data.about) make(header, 'div', data.about);
  const verdicts = make(header, 'ul', undefined, {id: 'verdicts'});
  data.events.forEach((event, place) => {
    if (event.kind !== 'prop') return;
    const line = make(verdicts, 'li');
    make(line, 'a', 'violated: ' + event.what, {href: '#event=' + place});
    // The last decision before it at which another move breaks nothing, by default.
    const choices = data.choices.filter(one => one.event <= place);
    for (const choice of choices.reverse()) {
      const way = choice.ways.find(one => !one.taken && one.outcome && !one.breaks);
      if (!way) continue;
      make(line, 'span', '; not with ');
      make(line, 'a', way.move + ' at decision ' + choice.decision,
           {href: '#event=' + choice.event, class: 'neighbour'});
      break;
    }
  });
  make(header, 'div', 'One run is shown here; that nothing breaks in it says nothing of others.');
  if (earlier.events + earlier.later > 0)
    make(header, 'div', data.events.length + ' events are listed; ' + earlier.events + ' before them and ' +
         earlier.later + ' behind them are not.', {id: 'cut', class: 'bad'});
  const table = (title, id, rows) => {
    if (!rows.length) return;
    const details = make(header, 'details', undefined, {id});
    make(details, 'summary', title);
    const body = make(details, 'table');
    for (const cells of rows) {
      const row = make(body, 'tr');
      for (const [words, link, sort] of cells) {
        const cell = make(row, 'td', link ? undefined : words, sort ? {class: sort} : {});
        if (link) make(cell, 'a', words, {href: link});
      }
    }
  };
  table('Properties, in this run', 'properties', data.properties.map(one => [
    [one.name],
    [one.broken ? 'broken' : one.vacuous ? 'vacuous: its premise does not occur' : 'not broken',
     one.event === undefined ? '' : '#event=' + one.event, one.broken ? 'bad' : ''],
    [one.says]]));
  table('What was run', 'run-facts', data.facts.map(([what, value]) => [[what], [value]]));
  if (data.again) {
    const line = make(header, 'div', 'Again: ');
    make(line, 'code', data.again, {id: 'again'});
    copies(line, data.again, 'copy');
  }
  const help = make(header, 'div',
    'Keys: ↓ → j next event, ↑ ← k the one before, Home and End, v next violation, ' +
    'o O next and last change of who holds or believes, t next picture, + - 0 larger, smaller, as it was, ' +
    'p pin this event, or let go of it, d next difference to the run beside, ' +
    'b go on by hand from here (there: numbers choose, u takes back, n goes on), ' +
    'f only what changes something, / search, n next found, ? these words', {id: 'help', hidden: ''});
  return {header, help};
};
