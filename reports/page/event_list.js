'use strict';
// The list of events. Of few each is a row for good; of many only those in sight are in the page, and all are
// equally high, so that where one stands is known without it.
const eventList = (section, events, few, {make, words, why, choose}) => {
  const list = make(section, 'ol', undefined, {id: 'events'});
  const many = events.length > few, height = 20, around = 20;
  const row = (place, parent) => {
    const one = make(parent, 'li', words(place), {'data-event': place, title: why(place)});
    if (events[place].kind === 'prop') one.className = 'prop';
    one.addEventListener('click', () => choose(place));
    return one;
  };
  const rows = many ? [] : events.map((event, place) => row(place, list));
  let order = [], current = 0, pinned = -1;
  const mark = (one, place) => {
    one.setAttribute('aria-current', place === current ? 'true' : 'false');
    one.classList.toggle('pinned', place === pinned);
  };
  const fill = (from, to) => {
    list.replaceChildren();
    make(list, 'li', undefined, {class: 'space'}).style.height = from * height + 'px';
    for (let i = from; i < to; ++i) {
      const one = row(order[i], list);
      one.setAttribute('aria-posinset', i + 1);
      one.setAttribute('aria-setsize', order.length);
      mark(one, order[i]);
    }
    make(list, 'li', undefined, {class: 'space'}).style.height = (order.length - to) * height + 'px';
  };
  const scrolled = () => {
    const from = Math.max(0, Math.min(Math.floor(section.scrollTop / height), order.length) - around);
    fill(from, Math.min(order.length, from + Math.ceil(section.clientHeight / height) + 2 * around));
  };
  if (many) {
    list.className = 'many';
    section.addEventListener('scroll', scrolled);
    window.addEventListener('beforeprint', () => fill(0, order.length));
    window.addEventListener('afterprint', scrolled);
  }
  return {
    /// Lists the events that fit and shows where one is.
    draw(at, held, fits) {
      [current, pinned] = [at, held];
      order = events.map((event, place) => place).filter(place => fits(events[place], place));
      if (!many) {
        const listed = new Set(order);
        rows.forEach((one, place) => { mark(one, place); one.hidden = !listed.has(place); });
        return rows[at].scrollIntoView({block: 'nearest'});
      }
      scrolled();  // so that it is as high as its rows
      const place = order.indexOf(at), top = place * height, seen = section.clientHeight;
      if (place >= 0 && (top < section.scrollTop || top + height > section.scrollTop + seen))
        section.scrollTop = Math.max(0, top - Math.floor(seen / 2));
      scrolled();
    },
    /// The places of all that are listed, in sight or not.
    listed: () => order
  };
};
