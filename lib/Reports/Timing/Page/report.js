// The page: a launch of several is chosen above.

const page = JSON.parse(document.getElementById('data').textContent);

function showLaunch(launch) {
  const view = new CodeView(launch);
  const pick = (line) => view.pick(line);
  const { body, timeline } = timelineSection(launch, pick);
  const sections = [lifeSection(launch), body, hotspotsSection(launch, pick), view.section(), banksSection(launch),
    occupancySection(launch), rooflineSection(launch), whatIfSection(launch), countersSection(launch), assumptionsSection(launch)];
  const links = sections.map((each) => make('a', { href: `#${each.id}` }, each.querySelector('h2').textContent));
  document.title = `${launch.kernel}: ${whole(launch.timing.cycles)} cycles`;
  document.getElementById('launch').replaceChildren(
    make('h1', {}, launch.kernel),
    make('p', { class: 'faint' }, `${launch.chip} (${launch.timing.product}); grid ${launch.grid.join(' x ')} = ${count(launch.workgroups, 'workgroup')} of `
      + `${launch.workgroup_size.join(' x ')} work items`),
    make('nav', { 'aria-label': 'parts of the report' }, links), cards(launch), ...sections);
  timeline.draw();
  view.showHottest();
}

const choice = make('select', { id: 'choice', change: (event) => showLaunch(page.launches[event.target.value]) },
  page.launches.map((launch, i) => make('option', { value: i }, `dispatch ${launch.id}: ${launch.kernel}`)));
document.getElementById('report').append(
  ...(page.launches.length > 1 ? [make('p', {}, make('label', { for: 'choice' }, 'Launch: '), choice)] : []),
  make('main', { id: 'launch' }));
showLaunch(page.launches[0]);
// The part that the address names is there only now.
const named = location.hash && document.getElementById(location.hash.slice(1));
if (named) named.scrollIntoView();
document.documentElement.dataset.ready = 'yes';
