// Hotspots, and source and machine code side by side. Choosing a line in one
// marks what belongs to it in the other.

function stallOf(code) { return sum(code.stalls); }

// "start", "wait-vmem": what most of the stall was for.
function mainReason(code) {
  const most = Math.max(...code.stalls);
  return most ? page.reasons[code.stalls.indexOf(most)] : '';
}

// "gemm.mlir:12 -> gemm.mlir:40" -> "gemm.mlir:12"
const innermost = (source) => source.split(' -> ')[0];

function hotspotsSection(launch, pick) {
  const all = sum(launch.code.map(stallOf));
  const hottest = launch.code.filter((code) => stallOf(code) > 0)
    .sort((a, b) => stallOf(b) - stallOf(a) || a.line - b.line).slice(0, 12);
  const named = hasSources(launch);
  const columns = [['Instruction', ''], ...(named ? [['Source', '']] : []), ['Stall cycles', 'number'], ['Of all stalls', 'number'], ['Mostly', ''], ['Executed', 'number']];
  return section('hotspots', 'Hotspots',
    make('div', { class: 'wide' }, table('Instructions at which waves wait longest. A wait is booked on the instruction that waits, as in a thread trace.',
      columns, hottest.map((code) => row(columns, [
        make('th', { scope: 'row' }, make('code', {}, code.text)), ...(named ? [make('code', {}, code.source)] : []), whole(stallOf(code)),
        barCell(percent(stallOf(code), all), stallOf(code) / stallOf(hottest[0])), mainReason(code), whole(code.hits),
      ], { class: 'pick', tabindex: 0, click: () => pick(code.line), keydown: (event) => { if (event.key === 'Enter') pick(code.line); } })),
      { id: 'hotspot-rows' })));
}

// Issue and stall cycles by line of a source.
function cyclesByLine(launch) {
  const result = new Map();
  for (const code of launch.code) {
    if (!code.source) continue;
    const key = innermost(code.source);
    result.set(key, (result.get(key) || 0) + code.issue + stallOf(code));
  }
  return result;
}

class CodeView {
  constructor(launch) {
    this.launch = launch;
    this.isaRows = new Map();
    this.sourceRows = new Map();
    const all = sum(launch.code.map((code) => code.issue + stallOf(code)));
    this.isa = make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'machine code' }, this.isaTable());
    this.source = make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'source' }, this.sourceTables(all));
  }

  isaTable() {
    const named = hasSources(this.launch);
    const columns = [['Instruction', ''], ['Stall', 'number'], ['Mostly', ''], ['Issue', 'number'], ['Executed', 'number'],
      ...(named ? [['Source', '']] : []), ['Address', 'number']];
    const most = Math.max(1, ...this.launch.code.map(stallOf));
    const rows = this.launch.code.map((code) => {
      const element = row(columns, [make('th', { scope: 'row', class: 'instruction', title: code.text }, code.text), stallOf(code) ? barCell(whole(stallOf(code)), stallOf(code) / most) : '', mainReason(code),
        whole(code.issue), whole(code.hits), ...(named ? [code.source] : []), `0x${code.pc.toString(16)}`],
      { class: 'pick', 'data-line': code.line, click: () => this.markSource(innermost(code.source), true) });
      this.isaRows.set(code.line, [element, innermost(code.source)]);
      return element;
    });
    return table('Machine code; cycles of all waves in detail.', columns, rows, { class: 'code', id: 'isa' });
  }

  sourceTables(all) {
    const cycles = cyclesByLine(this.launch);
    const most = Math.max(1, ...cycles.values());
    const columns = [['Line', 'number'], ['Cycles', 'number'], ['Source', '']];
    return this.launch.sources.map((source) => table(source.name, columns, source.lines.map((text, index) => {
      const key = `${source.name}:${index + 1}`;
      const spent = cycles.get(key);
      const element = row(columns, [`${index + 1}`, spent ? barCell(percent(spent, all), spent / most) : '', text],
        { class: spent ? 'pick' : '', click: () => this.markSource(key, false) });
      this.sourceRows.set(key, element);
      return element;
    }), { class: 'code', 'data-source': source.name }));
  }

  // Marks a line of the source and all instructions that come from it, and
  // brings the first of the other side into view.
  markSource(key, fromCode) {
    for (const element of document.querySelectorAll('#code tr.picked')) element.classList.remove('picked');
    const line = this.sourceRows.get(key);
    if (line) line.classList.add('picked');
    let first = null;
    for (const [element, source] of this.isaRows.values())
      if (key && source === key) {
        element.classList.add('picked');
        first = first || element;
      }
    this.reveal(fromCode ? line : first);
  }

  // Scrolls only the pane in which the row is.
  reveal(element) {
    if (!element) return;
    const pane = element.closest('.scroll');
    pane.scrollTop = element.offsetTop - pane.clientHeight / 3;
  }

  pick(line) {
    const entry = this.isaRows.get(line);
    if (!entry) return;
    this.markSource(entry[1], true);
    entry[0].classList.add('picked');
    this.reveal(entry[0]);
    document.getElementById('code').scrollIntoView({ block: 'nearest' });
  }

  // What costs most, before anybody has chosen anything.
  showHottest() {
    const code = this.launch.code.reduce((a, b) => stallOf(b) > stallOf(a) ? b : a);
    this.markSource(innermost(code.source), true);
    const [element] = this.isaRows.get(code.line);
    element.classList.add('picked');
    this.reveal(element);
  }

  section() {
    if (!this.launch.sources.length)
      return section('code', 'Machine code', make('p', { class: 'faint' }, hasSources(this.launch)
        ? 'The sources that the object names are not at hand.' : 'The object names no sources.'), this.isa);
    return section('code', 'Source and machine code', make('div', { class: 'panes' }, this.source, this.isa));
  }
}
