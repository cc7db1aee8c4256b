import { describe, expect, it } from 'vitest';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inlineCodeOf, readPage } from '@registrar/testing';
import { root } from './markdown.ts';

const page = 'docs/security.md';
const statuses = ['met', 'partly', 'not met', 'operator', 'n/a'];

interface Row {
  readonly requirement: string;
  readonly status: string;
  readonly shownBy: string;
}

/** The rows of the tables whose columns are requirement or risk, status, how, and shown by. */
const rows = readPage(page)
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, requirement = '']) => /^(\d+\.\d+\.\d+|API\d+ )/.test(requirement))
  .map(([, requirement = '', status = '', , shownBy = '']): Row => ({
    requirement,
    status,
    shownBy,
  }));

/** Of the chapters of ASVS 5.0 that apply, the sections with requirements of levels 1 and 2. */
const sections: Readonly<Record<number, readonly number[]>> = {
  1: [1, 2, 3, 4, 5],
  2: [1, 2, 3, 4],
  3: [2, 3, 4, 5, 7],
  4: [1, 2, 3, 4],
  5: [1, 2, 3, 4],
  6: [1, 2, 3, 4, 5, 6, 8],
  7: [1, 2, 3, 4, 5, 6],
  8: [1, 2, 3, 4],
  9: [1, 2],
  11: [1, 2, 3, 4, 5, 6],
  12: [1, 2, 3],
  13: [1, 2, 3, 4],
  14: [1, 2, 3],
  15: [1, 2, 3],
  16: [1, 2, 3, 4, 5],
};

describe('docs/security.md', () => {
  it('names only files that exist', () => {
    const paths = inlineCodeOf(page).filter((code) =>
      /^(apps|libs|tests|k8s|benchmarks|docs)\/[\w./-]+$/.test(code),
    );
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('docs/security.md has a known status for each row, and a test for each that is met', () => {
    expect(rows.filter(({ status }) => !statuses.includes(status))).toEqual([]);
    const unproven = rows.filter(({ status, shownBy }) => status === 'met' && shownBy === '');
    expect(unproven).toEqual([]);
  });

  // Rows 1.2.5 and 1.3.2.
  it('says truly that no app which handles requests evaluates text, or starts programs but its own', () => {
    const apps = ['gateway', 'identity', 'catalog', 'enrolment', 'crawler', 'provider'];
    const sources = apps.flatMap((app) => sourcesOf(`apps/${app}/src`));
    expect(sources.length).toBeGreaterThan(300);
    const forbidden = /from '(node:)?(child_process|vm)'|\b(eval|Function)\(/;
    const packageReader = 'apps/provider/src/packages/package-reader.ts';
    expect(sources.filter((path) => forbidden.test(readPage(path)))).toEqual([packageReader]);
    expect(readPage(packageReader)).toContain(
      "{ type ChildProcess, fork } from 'node:child_process'",
    );
    expect(readPage(packageReader)).toContain('fork(program, ');
  });

  it('covers the ten risks, and every section of ASVS that applies', () => {
    const text = rows.map(({ requirement }) => requirement).join(', ');
    const missing = Object.entries(sections).flatMap(([chapter, numbers]) =>
      numbers
        .map((number) => `${chapter}.${number}.`)
        .filter((section) => !` ${text}`.includes(` ${section}`) && !isInRange(section, text)),
    );
    expect(missing).toEqual([]);
    for (let risk = 1; risk <= 10; risk += 1) expect(text).toContain(`API${risk} `);
  });
});

/** The paths of the sources in a folder that are part of the app. */
const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/(\.spec|\.fixture)\.ts$|^testing\//.test(path))
    .map((path) => join(folder, path));

/** Tells whether a range such as `6.5.1–6.6.3` has the section. */
const isInRange = (section: string, text: string): boolean =>
  [...text.matchAll(/(\d+)\.(\d+)\.\d+–(\d+)\.(\d+)\.\d+/g)].some(([, chapter, from, , to]) => {
    const [ofChapter, number] = section.split('.').map(Number);
    return Number(chapter) === ofChapter && number! >= Number(from) && number! <= Number(to);
  });
