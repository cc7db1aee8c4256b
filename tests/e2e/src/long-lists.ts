import { beforeAll, expect, it } from 'vitest';
import type { RunningSystem } from '@registrar/standalone/testing';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { ApiClient } from './client.ts';
import { parseCsv, parseXml } from '@registrar/conformance';

const registrationCount = 2000;
const maxGrowthBytes = 64 * 1024 * 1024;

/** The six apps of the API, and the console. */
const processCount = 7;

/** The limit of every container in docker-compose.yml and k8s/base. */
const containerBytes = 512 * 1024 * 1024;

/** Checks that lists of thousands of records need little memory in every process. */
export function describeLongLists(running: () => RunningSystem): void {
  const api = () => new ApiClient(running());
  let key: { api_key: string };

  beforeAll(async () => {
    const made = await api().post('/api_key.json', api().realm);
    key = { api_key: (JSON.parse(made.text) as { access_token: string }).access_token };
    const courses = JSON.stringify([running().quickstart.course_guid]);
    const invitation = { ...key, name: 'long-lists' };
    await api().post('/invitation.json', { ...invitation, course_guids: courses });
    const learners = Array.from(
      { length: registrationCount },
      (_, index) => `learner-${index}@lists.example`,
    );
    const query = new URLSearchParams(key).toString();
    const answer = await api().post(`/invitation/add_learners.json?${query}`, {
      name: invitation.name,
      learners: JSON.stringify(learners),
      skip_external_initialization: 't',
    });
    if (answer.status !== 200) throw new Error(`add_learners answered ${answer.status}`);
  });

  it('lists 2,000 registrations as JSON, XML and CSV with at most 64 MB more memory for each process', async () => {
    const filters = { ...key, course_guid: running().quickstart.course_guid };
    const pids = running().processes();
    expect(pids).toHaveLength(processCount);
    const before = pids.map(residentBytes);
    const peak = [...before];
    const watch = setInterval(() => {
      pids.forEach((pid, index) => {
        peak[index] = Math.max(peak[index] ?? 0, residentBytes(pid));
      });
    }, 10);
    try {
      const json = JSON.parse((await api().get('/registration.json', filters)).text) as unknown[];
      const xml = parseXml((await api().get('/registration.xml', filters)).text);
      const csv = parseCsv((await api().get('/registration.csv', filters)).text);
      expect(json.length).toBeGreaterThanOrEqual(registrationCount);
      expect(xml.children).toHaveLength(json.length);
      expect(csv).toHaveLength(json.length);
    } finally {
      clearInterval(watch);
    }
    const growth = peak.map((bytes, index) => bytes - (before[index] ?? 0));
    expect(Math.max(...growth)).toBeLessThan(maxGrowthBytes);
  });

  it('sends the longest records to several readers within the memory of a container', async () => {
    const filters = { ...key, course_guid: running().quickstart.course_guid };
    const count = async () =>
      (JSON.parse((await api().get('/registration.json', filters)).text) as unknown[]).length;
    const before = await count();
    // As long as requests may be, and as long as the results of a course provider.
    await lengthenCustom(running(), { text: '"', length: 32_000, count: 150 });
    await lengthenCustom(running(), { text: 'x', length: 7_600_000, count: 4 });
    const counts = await Promise.all(Array.from({ length: 4 }, count));
    expect(new Set(counts)).toEqual(new Set([before]));
    const pids = running().processes();
    expect(pids).toHaveLength(processCount);
    expect(Math.max(...pids.map(highestBytes))).toBeLessThan(containerBytes);
  });
}

/**
 * Sets `custom` of the first registrations to a JSON text of one repeated character, where the suite
 * has access to the database.
 */
async function lengthenCustom(
  { databaseUrl }: RunningSystem,
  { text, length, count }: { text: string; length: number; count: number },
): Promise<void> {
  if (databaseUrl === null) return;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `UPDATE enrolment.registrations SET custom = to_json(repeat($1, $2))
       WHERE id IN (SELECT id FROM enrolment.registrations ORDER BY id LIMIT $3)`,
      [text, length, count],
    );
  } finally {
    await client.end();
  }
}

/** The most memory that a process has had since its start. */
const highestBytes = (pid: number) =>
  Number(statusOf(pid).match(/^VmHWM:\s+(\d+) kB$/m)?.[1] ?? Infinity) * 1024;

const residentBytes = (pid: number) =>
  Number(statusOf(pid).match(/^VmRSS:\s+(\d+) kB$/m)?.[1] ?? 0) * 1024;

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
