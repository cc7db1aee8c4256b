import { both, type Trait } from './trait.ts';

/** Content that sets everything in an event of its window, and ends its session there. */
const endsIn = (event: string, target = 'window'): Trait => ({
  name: `ends in ${event}`,
  standards: both,
  script: `const lms = begin();
    let isAnswered = false;
    ready(() => { isAnswered = true; });
    ${target}.addEventListener('${event}', once(() => { if (isAnswered) { result(lms); lms.end(); } }));`,
  departure: 'closes the tab',
});

/** How content leaves. */
export const leavingTraits: readonly Trait[] = [
  endsIn('beforeunload'),
  endsIn('pagehide'),
  endsIn('unload'),
  endsIn('visibilitychange', 'document'),
  {
    name: 'ends in each event of leaving',
    standards: both,
    script: `const lms = begin();
      ready(() => result(lms));
      for (const event of ['beforeunload', 'pagehide', 'unload']) {
        window.addEventListener(event, () => { lms.careless('commit', ''); lms.careless('end', ''); });
      }`,
    departure: 'closes the tab',
  },
  {
    name: 'ends twice, and commits afterwards',
    standards: both,
    script: `const lms = begin();
      ready(() => {
        result(lms);
        lms.end();
        lms.careless('end', '');
        lms.careless('set', el.location, 'too late');
        lms.careless('commit', '');
      });`,
    departure: 'ends by itself',
  },
  {
    name: 'commits and never ends',
    standards: both,
    script: `const lms = begin(); ready(() => { result(lms); lms.commit(); });`,
    departure: 'closes the tab',
  },
  {
    name: 'neither commits nor ends',
    standards: both,
    script: `const lms = begin(); ready(() => result(lms));`,
    departure: 'closes the tab',
  },
  {
    name: 'sends a synchronous request in unload, then ends',
    standards: both,
    script: `const lms = begin();
      ready(() => result(lms));
      window.addEventListener('unload', () => {
        try {
          const request = new XMLHttpRequest();
          request.open('GET', 'index.html', false);
          request.send();
        } catch {}
        lms.end();
      });`,
    departure: 'closes the tab',
  },
  {
    name: 'sends a beacon in pagehide, then ends',
    standards: both,
    script: `const lms = begin();
      ready(() => result(lms));
      window.addEventListener('pagehide', () => { navigator.sendBeacon('index.html', 'x'.repeat(60000)); lms.end(); });`,
    departure: 'closes the tab',
  },
  {
    name: 'goes to another page, and ends as it unloads',
    standards: both,
    script: `const lms = begin();
      ready(() => { result(lms); location.href = 'goodbye.html'; });
      window.addEventListener('unload', () => lms.end());`,
    pages: { 'goodbye.html': '' },
    departure: 'ends by itself',
  },
  {
    name: 'goes to another page without an end',
    standards: both,
    script: `const lms = begin(); ready(() => { result(lms); location.href = 'goodbye.html'; });`,
    pages: { 'goodbye.html': '' },
    departure: 'presses Exit',
  },
  {
    name: 'closes its window',
    standards: both,
    script: `const lms = begin(); ready(() => { result(lms); lms.end(); top.close(); });`,
    departure: 'closes its window',
  },
];
