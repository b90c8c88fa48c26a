// The launch under the roofs of the machine, both axes logarithmic.

function rooflineSection(launch) {
  const r = launch.roofline;
  const compute = r.roofs.filter((roof) => roof.kind === 'compute');
  const memory = r.roofs.filter((roof) => roof.kind === 'memory');
  const columns = [['', ''], ['Value', 'number'], ['From', '']];
  const figures = table('What the launch does, and what the machine could do.', columns, [
    row(columns, ['operations', short(r.operations), 'executed instructions; a multiply-add is two']),
    row(columns, ['bytes of memory', short(r.bytes), 'reads and writes behind the caches']),
    row(columns, ['operations a byte', r.intensity.toPrecision(3), '']),
    row(columns, [make('th', { scope: 'row' }, make('strong', {}, 'this launch')), `${r.tera_operations_a_second.toPrecision(3)} T/s`, `and ${r.tera_bytes_a_second.toPrecision(3)} TB/s`]),
    ...compute.map((roof) => row(columns, [`peak, ${roof.name}`, `${roof.value.toPrecision(4)} T/s`, roof.source])),
    ...memory.map((roof) => row(columns, [roof.name, `${roof.value.toPrecision(3)} TB/s`, roof.source])),
  ], { id: 'roofs' });
  const children = [];
  if (compute.length && memory.length && r.intensity > 0 && r.tera_operations_a_second > 0)
    children.push(rooflineChart(r, compute, memory));
  const verdict = make('p', {}, r.regime ? make('strong', { id: 'regime' }, r.regime === 'idle' ? 'compute units idle' : `bound by ${r.regime}`) : '', r.regime ? `: ${r.reason}.` : `${r.reason}.`);
  return section('roofline', 'Roofline', verdict, make('div', { class: 'panes' }, ...children, make('div', { class: 'wide' }, figures)));
}

function rooflineChart(r, compute, memory) {
  const width = 600, height = 380, left = 62, right = 16, top = 16, bottom = 44;
  const peak = Math.max(...compute.map((roof) => roof.value));
  const knees = memory.map((roof) => peak / roof.value);
  const x0 = Math.floor(Math.log10(Math.min(r.intensity, ...knees) / 4));
  const x1 = Math.ceil(Math.log10(Math.max(r.intensity, ...knees) * 2));
  const y1 = Math.ceil(Math.log10(peak * 1.2));
  const y0 = Math.floor(Math.log10(Math.min(r.tera_operations_a_second, peak / 100)));
  const toX = (value) => left + (Math.log10(value) - x0) / (x1 - x0) * (width - left - right);
  const toY = (value) => height - bottom - (Math.log10(value) - y0) / (y1 - y0) * (height - top - bottom);
  const power = (exponent) => exponent < 0 ? (10 ** exponent).toPrecision(1) : short(10 ** exponent);
  const parts = [];
  for (let e = x0; e <= x1; ++e) {
    parts.push(makeSvg('line', { class: 'axis', x1: toX(10 ** e), x2: toX(10 ** e), y1: top, y2: height - bottom }));
    parts.push(makeSvg('text', { class: 'faint-text', x: toX(10 ** e), y: height - bottom + 16, 'text-anchor': 'middle' }, power(e)));
  }
  for (let e = y0; e <= y1; ++e) {
    parts.push(makeSvg('line', { class: 'axis', x1: left, x2: width - right, y1: toY(10 ** e), y2: toY(10 ** e) }));
    parts.push(makeSvg('text', { class: 'faint-text', x: left - 6, y: toY(10 ** e) + 4, 'text-anchor': 'end' }, power(e)));
  }
  // Each roof of memory rises until it meets that of computation.
  for (const roof of memory) {
    const start = Math.max(10 ** x0, 10 ** y0 / roof.value), knee = peak / roof.value;
    const isLow = roof.name.startsWith('HBM, data');
    parts.push(makeSvg('path', { class: `roof${isLow ? ' low' : ''}`,
      d: `M ${toX(start)} ${toY(start * roof.value)} L ${toX(knee)} ${toY(peak)}` },
    makeSvg('title', {}, `${roof.name}: ${roof.value.toPrecision(3)} TB/s`)));
  }
  const lowest = Math.min(...memory.map((roof) => peak / roof.value));
  parts.push(makeSvg('line', { class: 'roof low', x1: toX(lowest), x2: width - right, y1: toY(peak), y2: toY(peak) }));
  parts.push(makeSvg('text', { x: width - right, y: toY(peak) - 6, 'text-anchor': 'end' }, `${compute[0].name}: ${short(peak)} T/s`));
  const px = toX(r.intensity), py = toY(r.tera_operations_a_second);
  const isRight = px > width * 0.6;
  parts.push(makeSvg('circle', { class: 'point', cx: px, cy: py, r: 6, id: 'roofline-point' }));
  parts.push(makeSvg('text', { x: px + (isRight ? -10 : 10), y: py + 4, 'text-anchor': isRight ? 'end' : 'start' },
    `this launch: ${r.tera_operations_a_second.toPrecision(3)} T/s`));
  parts.push(makeSvg('text', { x: (left + width - right) / 2, y: height - 8, 'text-anchor': 'middle' }, 'operations a byte of memory'));
  parts.push(makeSvg('text', { x: -(top + height - bottom) / 2, y: 14, transform: 'rotate(-90)', 'text-anchor': 'middle' }, '10¹² operations a second'));
  return makeSvg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-label': 'roofline chart; the table beside it has the figures' }, parts);
}
