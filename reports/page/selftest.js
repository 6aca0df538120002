'use strict';
// The page goes through itself as a hand would, and writes down what it found, as TAP.
const selfTest = page => {
  const {events, data, matters, list, hand} = page, lines = [], begin = page.at;
  const press = key => document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
  const holds = (words, fits) => lines.push((fits ? 'ok ' : 'not ok ') + (lines.length + 1) + ' - ' + words);
  press('j');
  holds('j goes to the next event', page.at === Math.min(begin + 1, events.length - 1));
  press('p');
  holds('p pins it', page.pinned === page.at);
  press('j');
  press('k');
  holds('k goes back', page.at === page.pinned);
  press('d');
  holds('d shows the next difference, if there is a run beside', !data.beside || page.tab === 'beside');
  press('+');
  press('f');
  holds('f hides what changes nothing',
        list.listed().join() === events.map((event, i) => i).filter(i => matters[i] || i === page.at).join());
  press('f');
  holds('f shows all again', list.listed().length === events.length);
  if (hand) {
    const before = page.tab;
    press('b');
    holds('b goes on by hand', page.tab === 'by-hand' || !page.choiceHere());
    page.open('by-hand');
    const way = hand.link();
    press('0');
    const longer = hand.link();
    press('u');
    holds('0 chooses a move and u takes it back', longer === way || hand.link() === way);
    press('n');
    holds('n goes on to the next change', hand.link().startsWith(way));
    hand.fromLink(way);
    page.open(before);
  }
  press('o');
  press('v');
  const broken = events.findIndex(event => event.kind === 'prop');
  holds('v goes to the violation', broken < 0 || broken <= begin || events[page.at].kind === 'prop');
  press('?');
  holds('? shows the keys', !page.help.hidden);
  for (const one of document.querySelectorAll('details')) one.open = true;
  const text = 'TAP version 13\n1..' + lines.length + '\n' + lines.join('\n');
  page.make(document.body, 'pre', text, {id: 'selftest'});
};
