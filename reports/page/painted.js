'use strict';
// A picture of more parts than a page bears as elements: what is in sight of it is painted, anew when that
// changes. It is clicked on, zoomed and marked like the others.
const painted = (pane, drawing, {make, picked}) => {
  const frame = make(pane, 'div', undefined, {class: 'painted', 'data-testid': 'painted-' + drawing.name});
  const room = make(frame, 'div'), canvas = make(room, 'canvas'), pen = canvas.getContext('2d');
  const places = new Map(drawing.parts.map((part, i) => [part.id, i]).filter(([id]) => id));
  let unit = 4 / 3, marked = '';
  const edges = part => part.kind === 'text' ? [part.x - 400, part.y - 10, part.x + 400, part.y + 10]
    : part.kind === 'line' ? [Math.min(part.x, part.x1), Math.min(part.y, part.y1),
                              Math.max(part.x, part.x1), Math.max(part.y, part.y1)]
    : part.kind === 'mark' ? [part.x - part.size / 2, part.y - part.size / 2,
                              part.x + part.size / 2, part.y + part.size / 2]
    : [part.x, part.y, part.x + part.width, part.y + part.height];
  const write = (text, x, y, part, align) => {
    pen.font = (part.bold ? 'bold ' : '') + part.font + 'px "DejaVu Sans", sans-serif';
    pen.textAlign = align;
    pen.textBaseline = 'middle';
    if (part.backed) {
      const width = pen.measureText(text).width, left = align === 'left' ? 0 : align === 'right' ? width : width / 2;
      pen.fillStyle = '#ffffff';
      pen.fillRect(x - left - 1, y - part.font * 0.7, width + 2, part.font * 1.4);
    }
    pen.fillStyle = part.colour;
    pen.fillText(text, x, y);
  };
  const corners = (part, around) => {
    pen.beginPath();
    around.forEach(([x, y], i) => (i ? pen.lineTo : pen.moveTo).call(pen, part.x + x * part.size / 2,
                                                                     part.y + y * part.size / 2));
    pen.closePath();
  };
  const shapes = {up: [[0, -1], [1, 1], [-1, 1]], down: [[0, 1], [1, -1], [-1, -1]],
                  hollow_up: [[0, -1], [1, 1], [-1, 1]], diamond: [[0, -1], [1, 0], [0, 1], [-1, 0]]};
  const draw = {
    box(part) {
      const [from, to] = part.fill.split(':');
      if (to) {
        pen.fillStyle = pen.createLinearGradient(part.x, 0, part.x + part.width, 0);
        pen.fillStyle.addColorStop(0, from);
        pen.fillStyle.addColorStop(1, to);
      } else if (from) pen.fillStyle = from;
      if (from) pen.fillRect(part.x, part.y, part.width, part.height);
      if (part.border) {
        [pen.strokeStyle, pen.lineWidth] = [part.border, part.thick / 10];
        pen.strokeRect(part.x, part.y, part.width, part.height);
      }
      const lines = part.label ? part.label.split('\n') : [];
      lines.forEach((line, i) => write(line, part.x + part.width / 2,
        part.y + part.height / 2 + (i - (lines.length - 1) / 2) * part.font * 1.2, part, 'center'));
    },
    text: part => write(part.text, part.x, part.y, part, part.align),
    line(part) {
      [pen.strokeStyle, pen.lineWidth] = [part.colour, part.thick / 10];
      pen.setLineDash(part.dash === 'solid' ? [] : part.dash === 'dashed' ? [5, 3] : [1, 3]);
      pen.beginPath();
      pen.moveTo(part.x, part.y);
      pen.lineTo(part.x1, part.y1);
      pen.stroke();
      pen.setLineDash([]);
    },
    hatch(part) {
      [pen.strokeStyle, pen.lineWidth] = [part.colour, 0.7];
      pen.save();
      pen.beginPath();
      pen.rect(part.x, part.y, part.width, part.height);
      pen.clip();
      pen.beginPath();
      for (let x = part.x - part.height; x < part.x + part.width; x += part.step) {
        pen.moveTo(x, part.y + part.height);
        pen.lineTo(x + part.height, part.y);
      }
      pen.stroke();
      pen.restore();
    },
    mark(part) {
      [pen.strokeStyle, pen.fillStyle, pen.lineWidth] = [part.colour, part.colour, 1.5];
      if (part.sign === 'cross') {
        const half = part.size / 2;
        pen.beginPath();
        for (const [x, y] of [[1, 1], [1, -1]]) {
          pen.moveTo(part.x - x * half, part.y - y * half);
          pen.lineTo(part.x + x * half, part.y + y * half);
        }
        return pen.stroke();
      }
      if (shapes[part.sign]) corners(part, shapes[part.sign]);
      else { pen.beginPath(); pen.arc(part.x, part.y, part.size / 2, 0, 2 * Math.PI); }
      if (part.sign === 'ring' || part.sign === 'hollow_up') pen.stroke(); else pen.fill();
    }
  };
  const paint = () => {
    if (!frame.clientWidth) return;  // another picture is shown
    room.style.width = drawing.width * unit + 'px';
    room.style.height = drawing.height * unit + 'px';
    canvas.width = Math.min(frame.clientWidth, Math.ceil(drawing.width * unit));
    canvas.height = Math.min(frame.clientHeight || 600, Math.ceil(drawing.height * unit));
    const left = frame.scrollLeft / unit, top = frame.scrollTop / unit;
    const right = left + canvas.width / unit, bottom = top + canvas.height / unit;
    pen.setTransform(unit, 0, 0, unit, -left * unit, -top * unit);
    pen.fillStyle = '#ffffff';
    pen.fillRect(left, top, right - left, bottom - top);
    let parts = 0;
    for (const part of drawing.parts) {
      const [x0, y0, x1, y1] = edges(part);
      if (x1 < left || x0 > right || y1 < top || y0 > bottom) continue;
      draw[part.kind](part);
      ++parts;
    }
    if (places.has(marked)) {
      const [x0, y0, x1, y1] = edges(drawing.parts[places.get(marked)]);
      [pen.strokeStyle, pen.lineWidth] = ['#2f6fb3', 2];
      pen.strokeRect(x0 - 2, y0 - 2, x1 - x0 + 4, y1 - y0 + 4);
    }
    canvas.setAttribute('data-parts', parts);
    canvas.setAttribute('data-marked', places.has(marked) ? marked : '');
  };
  const under = event => {
    const x = (event.offsetX + frame.scrollLeft) / unit, y = (event.offsetY + frame.scrollTop) / unit;
    for (let i = drawing.parts.length - 1; i >= 0; --i) {
      const part = drawing.parts[i], [x0, y0, x1, y1] = edges(part);
      if ((part.id || part.tip) && x >= x0 - 1 && x <= x1 + 1 && y >= y0 - 1 && y <= y1 + 1) return part;
    }
    return null;
  };
  frame.addEventListener('scroll', paint);
  window.addEventListener('resize', paint);
  canvas.addEventListener('mousemove', event => { canvas.title = (under(event) || {}).tip || ''; });
  canvas.addEventListener('click', event => {
    const part = under(event);
    if (part && part.id) picked(part.id);
  });
  return {
    zoom(scale) { unit = scale * 4 / 3; paint(); },
    mark(id) {
      marked = id;
      if (places.has(id) && frame.clientWidth) {
        const [x0, , x1] = edges(drawing.parts[places.get(id)]).map(edge => edge * unit);
        if (x0 < frame.scrollLeft || x1 > frame.scrollLeft + frame.clientWidth)
          frame.scrollLeft = Math.max(0, (x0 + x1) / 2 - frame.clientWidth / 2);
      }
      paint();
    }
  };
};
