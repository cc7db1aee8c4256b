import { afterAll, beforeAll, expect, it } from 'vitest';
import { findChromium } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { catalogue } from './catalogue.ts';
import { Installation } from './installation.ts';
import { runPlays } from './run-plays.ts';
import { deviations } from './table.ts';

/** A few packages of each part of the catalogue: `npm run courses` plays all. */
const played = [
  'Storyline, on a second device',
  'iSpring, resumed',
  'eXeLearning, to its end',
  'ends in pagehide',
  'OB-10d',
];

describeWith(findChromium(), 'the catalogue of packages', () => {
  const resources = new AsyncDisposableStack();
  let installation: Installation;
  beforeAll(async () => {
    installation = await Installation.start(resources);
  });
  afterAll(() => resources.disposeAsync());

  it('packages of each part play as expected', async () => {
    const all = await catalogue(installation);
    const newest = all.filter(({ standard }) => standard === '2004 4th Edition');
    const plays = newest.filter(({ name }) => played.includes(name));
    expect(plays.length).toBe(played.length);
    const rows = await runPlays(plays, 2, () => undefined);
    expect(rows.map((row) => [row.name, deviations(row)])).toEqual(
      plays.map(({ name }) => [name, []]),
    );
  });
});
