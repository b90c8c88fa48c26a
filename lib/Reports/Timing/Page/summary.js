// What the launch came to: figures, where the waves' time went, occupancy,
// what-if, assumptions.

function cards(launch) {
  const t = launch.timing;
  const entries = [
    ['Cycles', whole(t.cycles), 'cycles'],
    ['Time', [t.microseconds.toFixed(2), make('small', {}, ` µs at ${t.clock_mhz} MHz`)], 'time'],
    ['Matrix units busy', [`${t.mfma_util.toFixed(1)} %`, make('small', {}, ` of the machine, ${percent(t.detail.mfma_busy_share, 1)} of the units at work`)], 'mfma-busy'],
    ['Waves a SIMD', [whole(t.occupancy.waves_per_simd), make('small', {}, ` by ${t.occupancy.limiter}`)], 'waves-per-simd'],
    ['LDS conflict cycles', whole(t.lds_conflict_cycles), 'lds-conflicts'],
    ['Operations', [short(launch.roofline.tera_operations_a_second), make('small', {}, ' T/s')], 'tera-operations'],
    ['Compute units', [whole(t.occupancy.active_cus), make('small', {}, ` at work, ${t.detail.compute_units} in detail`)], 'active-cus'],
  ];
  return make('dl', { class: 'cards' }, entries.map(([title, value, id]) =>
    make('div', { class: 'card' }, make('dt', {}, title), make('dd', { id }, value))));
}

// Issue and stalls of all waves in detail.
function lifeSection(launch) {
  const t = launch.timing;
  const parts = [['issue', t.detail.issue_cycles, kindColors.MFMA]];
  for (const reason of page.reasons)
    if (t.detail.stall_cycles[reason]) parts.push([reason, t.detail.stall_cycles[reason], reasonColors[reason]]);
  parts.sort((a, b) => b[1] - a[1]);
  const all = sum(parts.map((part) => part[1]));
  const columns = [['What waves do', ''], ['Cycles', 'number'], ['Share', 'number'], ['Their instruction waits', '']];
  const meaning = (name) => page.reason_texts[page.reasons.indexOf(name)] || '';
  return section('life', 'Where the time of the waves goes',
    make('div', { class: 'share', role: 'img', 'aria-label': 'shares as in the table below' },
      parts.map(([name, cycles, color]) => make('span', {
        style: `flex: ${cycles}; background: ${color}`, title: `${name}: ${percent(cycles, all)}`,
      }))),
    make('div', { class: 'wide' }, table('Sums over all waves in detail; issue and waits add up to their lives.', columns,
      parts.map(([name, cycles, color]) => row(columns, [
        make('th', { scope: 'row' }, make('i', { style: `display: inline-block; width: 11px; height: 11px; border-radius: 2px; margin-right: 8px; background: ${color}` }), name),
        whole(cycles), barCell(percent(cycles, all), cycles / all), meaning(name)])))));
}

function occupancySection(launch) {
  const r = launch.resources;
  const t = launch.timing;
  const columns = [['Resource', ''], ['Used', 'number'], ['Allocated', 'number'], ['Alone would allow', ''], ['One workgroup more needs', '']];
  const step = (name) => {
    const found = (r.for_one_more || []).find((each) => each.resource === name);
    return found ? `at most ${whole(found.most)}` : '';
  };
  const line = (name, used, allocated, allows) => row(columns, [
    name + (t.occupancy.limiter === name ? ' (limiter)' : ''), used, allocated, allows, step(name)],
    t.occupancy.limiter === name ? { class: 'picked' } : {});
  return section('occupancy', 'Occupancy',
    make('p', {}, `${count(t.occupancy.workgroups_per_cu, 'workgroup')} of ${r.workgroup_threads} work items on a compute unit, `
      + `${count(t.occupancy.waves_per_simd, 'wave')} on a SIMD; the limit is `, make('strong', { id: 'limiter' }, t.occupancy.limiter),
      r.limited_by_padding ? `: the compiler pads the registers to ${r.allocated_vgprs} and uses fewer.` : '.'),
    make('div', { class: 'wide' }, table('What the kernel holds, and what each resource alone would allow.', columns, [
      line('VGPR', `${r.arch_vgprs} + ${r.acc_vgprs}`,
        whole(r.allocated_vgprs || 0) + (r.allocated_vgprs > r.needed_vgprs ? ', padded' : ''),
        `${count(r.waves_by_vgpr || 0, 'wave')} a SIMD`
          + (r.waves_by_used_vgpr > r.waves_by_vgpr ? `; what is used: ${r.waves_by_used_vgpr}` : '')),
      line('SGPR', whole(r.sgprs), '', `${count(r.waves_by_sgpr || 0, 'wave')} a SIMD`),
      line('LDS', `${whole(r.lds_bytes)} bytes`, `${whole(r.allocated_lds_bytes || 0)} bytes`,
        r.lds_bytes ? `${count(r.workgroups_by_lds || 0, 'workgroup')} a compute unit` : 'any number of workgroups'),
      line('scratch', `${whole(r.scratch_bytes)} bytes a lane`, '', ''),
    ])));
}

function whatIfSection(launch) {
  const t = launch.timing;
  const columns = [['Free of', ''], ['Cycles', 'number'], ['Saved', 'number'], ['Share', 'number'], ['Edit of the schedule', ''], ['Cycles with it', 'number']];
  const rows = [...t.what_if].sort((a, b) => b.saved - a.saved).map((entry) => row(columns, [
    entry.free, whole(entry.cycles), whole(entry.saved),
    barCell(percent(entry.saved, t.cycles), entry.saved / t.cycles, 'less'),
    entry.edit || '', entry.edit ? whole(entry.edit_cycles) : '']));
  return section('what-if', 'What if one resource were free',
    make('div', { class: 'wide' }, table('The same launch, replayed: what one resource costs now. Beside it the kernel compiled and timed with an edit of its schedule, which changes other costs, too. No edit: the resource costs nothing, none is known, or none compiles.', columns, rows)));
}

function countersSection(launch) {
  const columns = [['Counter', ''], ['The launch', 'number']];
  const rows = Object.entries(launch.timing.counters).map(([name, value]) => row(columns, [name, whole(value)]));
  return section('counters', 'Counters', make('details', {}, make('summary', {}, `${count(rows.length, 'counter')} under the hardware's names`),
    table('Counts of the whole launch.', columns, rows)));
}

function assumptionsSection(launch) {
  const columns = [['Id', ''], ['Basis', ''], ['What is assumed', ''], ['What would settle it', '']];
  const t = launch.timing;
  return section('assumptions', 'What this rests on',
    make('p', {}, 'A model: the sign and the order of effects are promised, not these cycles.'),
    t.extrapolated.map((text) => make('p', {}, `Extrapolated: ${text}.`)),
    make('details', {}, make('summary', {}, count(launch.assumptions.length, 'assumption')),
      make('div', { class: 'wide' }, table('Values that are inferred or recalled, not measured.', columns,
        launch.assumptions.map((each) => row(columns, [each.id, each.basis, each.statement, each.probe]))))));
}
