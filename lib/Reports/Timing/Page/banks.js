// Which banks of LDS each instruction keeps busy, and where lanes wait for each
// other.

function bankColor(value, most, kind) {
  return value > 0 ? `rgba(var(${kind}), ${(0.12 + 0.88 * value / most).toFixed(3)})` : 'transparent';
}

function banksSection(launch) {
  if (!launch.banks.length)
    return section('banks', 'LDS banks', make('p', { class: 'faint' }, 'The kernel reads and writes no LDS.'));
  const code = new Map(launch.code.map((each) => [each.line, each]));
  const banks = Math.max(...launch.banks.map((each) => each.dwords.length));
  const holder = make('div', { class: 'scroll low' });
  const order = [...launch.banks].sort((a, b) => code.get(b.line).lds_conflicts - code.get(a.line).lds_conflicts || a.line - b.line);
  const total = sum(launch.code.map((each) => each.lds_conflicts));
  const worst = Math.max(1, ...launch.code.map((each) => each.lds_conflicts));
  const button = (text, field) => make('button', { type: 'button', 'data-field': field, 'aria-pressed': 'false', click: () => show(field) }, text);
  const buttons = [button('dwords that wait', 'waits'), button('dwords served', 'dwords')];

  function show(field) {
    for (const each of buttons) each.setAttribute('aria-pressed', String(each.dataset.field === field));
    const perExecution = (entry, bank) => (entry[field][bank] || 0) / code.get(entry.line).hits;
    const most = Math.max(1e-9, ...launch.banks.flatMap((entry) => entry[field].map((_, bank) => perExecution(entry, bank))));
    const named = hasSources(launch);
    const columns = [['Instruction', ''], ...(named ? [['Source', '']] : []), ['Executed', 'number'], ['Cycles', 'number'], ['Conflicts', 'number'],
      ...Array.from({ length: banks }, (_, bank) => [bank % 4 ? '' : `${bank}`, 'bank'])];
    const rows = order.map((entry) => {
      const each = code.get(entry.line);
      return row(columns, [make('th', { scope: 'row' }, make('code', {}, each.text)), ...(named ? [make('code', {}, each.source)] : []),
        whole(each.hits), whole(each.lds_cycles), barCell(whole(each.lds_conflicts), each.lds_conflicts / worst),
        ...Array.from({ length: banks }, (_, bank) => {
          if (bank >= entry[field].length) return make('td', { class: 'cell' });
          const value = perExecution(entry, bank);
          return make('td', {
            class: 'cell', 'data-bank': bank, 'data-value': entry[field][bank], title: `bank ${bank}: ${value.toFixed(2)} a wave and execution`,
            style: `background: ${bankColor(value, most, field === 'waits' ? '--heat' : '--cool')}`,
          });
        })]);
    });
    holder.replaceChildren(table(`${field === 'waits' ? 'Dwords that wait for others in their bank' : 'Dwords that each bank serves'}, `
      + `a wave and execution; the darkest cell is ${most < 1e-6 ? '0' : most.toFixed(2)}.`, columns, rows, { class: 'banks', id: 'bank-rows' }));
  }
  show(total ? 'waits' : 'dwords');
  return section('banks', 'LDS banks',
    make('p', {}, total ? `Conflicts take ${whole(total)} of ${whole(sum(launch.code.map((each) => each.lds_cycles)))} cycles of the banks.`
      : 'No instruction has bank conflicts.'),
    make('div', { class: 'tools' }, buttons), holder);
}
