// What each wave did when: a row for each slot of a wave, and one for the matrix
// unit of its SIMD, drawn on a canvas as far as it is looked at. What is narrower
// than a pixel is drawn as what takes most of that pixel; the matrix unit is as
// dark as it is busy.

const rowHeight = 20, axisHeight = 22, labelWidth = 164, eventWidth = 5;

const matrixRow = 'matrix unit';

// Rows of the canvas, each with its waves; and of each wave when its events
// begin.
function timelineRows(launch) {
  const rows = new Map();
  const usesMatrix = launch.code.some((code) => code.hits && code.matrix_cycles);
  const add = (key, wave) => {
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push(wave);
  };
  for (const wave of launch.waves) {
    if (!wave.events.length) continue;
    const starts = new Float64Array(wave.events.length / eventWidth + 1);
    starts[0] = wave.begin;
    for (let i = 0; i + 1 < starts.length; ++i) {
      const at = i * eventWidth;
      starts[i + 1] = starts[i] + wave.events[at + 1] + wave.events[at + 2] + wave.events[at + 3];
    }
    wave.starts = starts;
    add(`XCD ${wave.xcd} SIMD ${wave.simd} slot ${wave.slot}`, wave);
    if (usesMatrix) add(`XCD ${wave.xcd} SIMD ${wave.simd} ${matrixRow}`, wave);
  }
  return [...rows].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
}

// The last index whose start is not behind `time`.
function eventAt(starts, time) {
  let low = 0, high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

class Timeline {
  constructor(launch, pick) {
    this.launch = launch;
    this.pick = pick;
    this.rows = timelineRows(launch);
    this.code = new Map(launch.code.map((each) => [each.line, each]));
    this.colors = [...page.kinds.map(kindColor), ...page.reasons.map((reason) => reasonColors[reason])];
    this.end = Math.max(1, ...launch.waves.filter((wave) => wave.events.length).map((wave) => wave.end));
    this.from = 0;
    this.to = this.end;
    this.canvas = make('canvas', {
      id: 'timeline-canvas', tabindex: 0, role: 'img',
      'aria-label': 'What each wave did when; the table of waves below has the figures. Keys: arrows move, plus and minus zoom, 0 shows all.',
    });
    this.range = make('span', { id: 'timeline-range', class: 'faint', 'aria-live': 'polite' });
    this.tip = make('div', { id: 'tip', hidden: '' });
    this.listen();
  }

  listen() {
    const canvas = this.canvas;
    canvas.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
      event.preventDefault();
      if (event.shiftKey) this.move((event.deltaY || event.deltaX) > 0 ? 0.1 : -0.1);
      else this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.timeAt(event.offsetX));
    }, { passive: false });
    canvas.addEventListener('keydown', (event) => {
      const actions = {
        ArrowLeft: () => this.move(-0.2), ArrowRight: () => this.move(0.2), '+': () => this.zoom(0.5),
        '=': () => this.zoom(0.5), '-': () => this.zoom(2), 0: () => this.show(0, this.end),
      };
      if (!actions[event.key]) return;
      event.preventDefault();
      actions[event.key]();
    });
    canvas.addEventListener('pointerdown', (event) => {
      this.drag = { x: event.clientX, from: this.from, to: this.to, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (this.drag) {
        const cycles = (this.drag.x - event.clientX) / this.pixels() * (this.drag.to - this.drag.from);
        this.drag.moved = this.drag.moved || Math.abs(this.drag.x - event.clientX) > 3;
        this.show(this.drag.from + cycles, this.drag.to + cycles);
      }
      this.hover(event);
    });
    canvas.addEventListener('pointerup', (event) => {
      const moved = this.drag && this.drag.moved;
      this.drag = null;
      const found = this.find(event.offsetX, event.offsetY);
      if (!moved && found && found.code) this.pick(found.code.line);
    });
    canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; });
    window.addEventListener('resize', () => this.redraw());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.redraw());
  }

  // Another launch may be shown meanwhile.
  redraw() { if (this.canvas.isConnected) this.draw(); }
  pixels() { return Math.max(50, this.canvas.clientWidth - labelWidth); }
  timeAt(x) { return this.from + (x - labelWidth) / this.pixels() * (this.to - this.from); }

  zoom(factor, around) {
    const middle = around === undefined ? (this.from + this.to) / 2 : around;
    this.show(middle - (middle - this.from) * factor, middle + (this.to - middle) * factor);
  }
  move(part) {
    const by = part * (this.to - this.from);
    this.show(this.from + by, this.to + by);
  }
  // Shows these cycles, as far as there are so many.
  show(from, to) {
    const width = Math.min(this.end, Math.max(16, to - from));
    this.from = Math.min(Math.max(0, from), this.end - width);
    this.to = this.from + width;
    this.draw();
  }

  draw() {
    const canvas = this.canvas;
    const scale = window.devicePixelRatio || 1;
    const height = axisHeight + this.rows.length * rowHeight;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(canvas.clientWidth * scale);
    canvas.height = Math.round(height * scale);
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    const style = getComputedStyle(document.body);
    this.drawAxis(context, style, height);
    context.textAlign = 'left';
    this.rows.forEach(([name, waves], index) => {
      const y = axisHeight + index * rowHeight;
      context.fillStyle = style.getPropertyValue('--faint');
      context.fillText(name, 0, y + 14);
      if (name.endsWith(matrixRow)) this.drawMatrix(context, waves, y + 2);
      else for (const wave of waves) this.drawWave(context, wave, y + 2);
    });
    this.range.textContent = `cycles ${whole(this.from)} to ${whole(this.to)} of ${whole(this.end)}`;
  }

  drawAxis(context, style, height) {
    context.font = '12px system-ui, sans-serif';
    const step = 10 ** Math.floor(Math.log10((this.to - this.from) / 4));
    const width = [1, 2, 5, 10].map((each) => each * step).find((each) => (this.to - this.from) / each <= 10);
    for (let time = Math.ceil(this.from / width) * width; time <= this.to; time += width) {
      const x = labelWidth + (time - this.from) / (this.to - this.from) * this.pixels();
      context.fillStyle = style.getPropertyValue('--line');
      context.fillRect(x, 16, 1, height - 16);
      context.fillStyle = style.getPropertyValue('--faint');
      context.textAlign = x > labelWidth + this.pixels() - 40 ? 'right' : 'left';
      context.fillText(whole(time), x + (context.textAlign === 'left' ? 3 : -3), 12);
    }
  }

  // Pieces of an event: waiting (by its reason) and issuing (by its kind).
  drawWave(context, wave, y) {
    if (wave.end < this.from || wave.begin > this.to) return;
    const toPixel = this.pixels() / (this.to - this.from);
    const most = new Float64Array(this.colors.length);
    let column = -1;
    const flush = () => {
      if (column < 0) return;
      let best = -1;
      most.forEach((cycles, i) => { if (cycles > 0 && (best < 0 || cycles > most[best])) best = i; });
      if (best >= 0) {
        context.fillStyle = this.colors[best];
        context.fillRect(labelWidth + column, y, 1, rowHeight - 4);
      }
      most.fill(0);
      column = -1;
    };
    const piece = (from, to, color) => {
      const left = Math.max(0, (from - this.from) * toPixel);
      const right = Math.min(this.pixels(), (to - this.from) * toPixel);
      if (right <= left) return;
      if (right - left >= 1) {
        flush();
        context.fillStyle = this.colors[color];
        context.fillRect(labelWidth + left, y, right - left - (right - left > 6 ? 0.5 : 0), rowHeight - 4);
        return;
      }
      if (Math.floor(left) !== column) {
        flush();
        column = Math.floor(left);
      }
      most[color] += right - left;
    };
    for (let i = eventAt(wave.starts, this.from); i + 1 < wave.starts.length && wave.starts[i] <= this.to; ++i) {
      const at = i * eventWidth;
      const issued = wave.starts[i + 1] - wave.events[at + 3];
      piece(wave.starts[i], issued, page.kinds.length + wave.events[at + 4]);
      piece(issued, wave.starts[i + 1], this.code.get(wave.events[at]).kind);
    }
    flush();
  }

  // How long the matrix unit works in each column.
  drawMatrix(context, waves, y) {
    const columns = Math.ceil(this.pixels());
    const toPixel = this.pixels() / (this.to - this.from);
    const busy = new Float64Array(columns);
    for (const wave of waves)
      for (let i = 0; i + 1 < wave.starts.length; ++i) {
        const code = this.code.get(wave.events[i * eventWidth]);
        if (!code || !code.matrix_cycles) continue;
        const issued = wave.starts[i + 1] - wave.events[i * eventWidth + 3];
        const left = Math.max(0, (issued - this.from) * toPixel);
        const right = Math.min(columns, (issued + code.matrix_cycles - this.from) * toPixel);
        for (let column = Math.floor(left); column < right; ++column)
          busy[column] += Math.min(right, column + 1) - Math.max(left, column);
      }
    context.fillStyle = kindColors.MFMA;
    busy.forEach((part, column) => {
      context.globalAlpha = Math.min(1, part);
      if (part > 0) context.fillRect(labelWidth + column, y, 1, rowHeight - 4);
    });
    context.globalAlpha = 1;
  }

  // The event at a place of the canvas.
  find(x, y) {
    const entry = this.rows[Math.floor((y - axisHeight) / rowHeight)];
    const time = this.timeAt(x);
    if (!entry || x < labelWidth || entry[0].endsWith(matrixRow)) return null;
    const wave = entry[1].find((each) => each.begin <= time && time <= each.end);
    if (!wave) return null;
    const i = Math.min(eventAt(wave.starts, time), wave.starts.length - 2);
    const [line, idle, stall, issue, reason] = wave.events.slice(i * eventWidth, (i + 1) * eventWidth);
    return { wave, idle, stall, issue, reason: page.reasons[reason], code: this.code.get(line), time: wave.starts[i] };
  }

  hover(event) {
    const found = this.find(event.offsetX, event.offsetY);
    this.tip.hidden = !found || !found.code;
    if (this.tip.hidden) return;
    const waited = found.idle + found.stall;
    this.tip.textContent = `${found.code.text}\n${found.code.source}\n`
      + `cycle ${whole(found.time)}: ${waited ? `waits ${waited} (${found.reason}), ` : ''}issues ${found.issue}\n`
      + `workgroup ${found.wave.workgroup}, wave ${found.wave.wave}`;
    const left = Math.min(event.clientX + 14, window.innerWidth - this.tip.offsetWidth - 8);
    this.tip.style.left = `${Math.max(4, left)}px`;
    this.tip.style.top = `${event.clientY + 16}px`;
  }
}

function timelineSection(launch, pick) {
  const timeline = new Timeline(launch, pick);
  const columns = [['Workgroup', 'number'], ['Wave', 'number'], ['XCD', 'number'], ['SIMD', 'number'], ['Slot', 'number'],
    ['Begin', 'number'], ['End', 'number'], ['Instructions', 'number'], ['Issue', 'number']];
  const rows = launch.waves.map((wave) => row(columns, [whole(wave.workgroup), whole(wave.wave), whole(wave.xcd),
    whole(wave.simd), whole(wave.slot), whole(wave.begin), whole(wave.end), whole(wave.instructions),
    barCell(percent(wave.issue, wave.end - wave.begin), wave.issue / (wave.end - wave.begin), 'less')]));
  const drawn = launch.waves.filter((wave) => wave.events.length).length;
  const button = (text, title, action) => make('button', { type: 'button', title, click: action }, text);
  const used = new Set();
  const issued = page.kinds.filter((_, i) => launch.code.some((code) => code.hits && code.kind === i));
  for (const wave of launch.waves)
    for (let i = 0; i < wave.events.length; i += eventWidth)
      if (wave.events[i + 1] + wave.events[i + 2]) used.add(page.reasons[wave.events[i + 4]]);
  const body = section('timeline', 'Timeline of the waves',
    make('div', { class: 'tools' },
      button('−', 'zoom out', () => timeline.zoom(2)), button('+', 'zoom in', () => timeline.zoom(0.5)),
      button('◀', 'earlier', () => timeline.move(-0.5)), button('▶', 'later', () => timeline.move(0.5)),
      button('all', 'show all', () => timeline.show(0, timeline.end)), timeline.range),
    timeline.canvas, timeline.tip,
    legend([...issued.map((kind) => [`issues: ${kind}`, kindColor(kind)]),
      ...page.reasons.filter((reason) => used.has(reason)).map((reason) => [`waits: ${reason}`, reasonColors[reason]])]),
    make('p', { class: 'faint' }, `${drawn} of ${launch.waves.length} waves in detail are drawn. Drag to move, `
      + 'Ctrl and wheel to zoom, click an instruction to find it in the code.'),
    make('details', {}, make('summary', {}, 'Table of waves'), make('div', { class: 'scroll' },
      table('Lives of all waves in detail, in cycles.', columns, rows, { id: 'waves' }))));
  return { body, timeline };
}
