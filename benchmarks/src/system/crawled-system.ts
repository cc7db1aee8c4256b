import type { BusClient } from '@registrar/bus';
import { createProviderApplication, createRealm, sweepApplications } from '@registrar/contracts';
import { asOperator } from '@registrar/e2e/operator';
import { eventually } from '@registrar/testing';
import type { Round } from '../results.ts';
import type { ScaleProvider } from '../simulated-provider/control.ts';
import type { AddedRealm } from './add-realm.ts';
import type { DistributedSystem } from './installation.ts';
import { residentMemoryOf } from './process-usage.ts';

const timeoutMs = 3_600_000;
const intervalMs = 100;

/** The distributed form, whose provider applications are those of the simulated provider. */
export class CrawledSystem {
  constructor(
    private readonly started: DistributedSystem,
    private readonly provider: ScaleProvider,
  ) {}

  /** Measures from `begin` until `isDone`. */
  async measure(
    registrations: number,
    begin: () => Promise<unknown>,
    isDone: () => Promise<boolean>,
  ): Promise<Round> {
    const { database, system } = this.started;
    // So that neither vacuum nor the first change of a page after a checkpoint counts for one phase alone.
    await database.query('VACUUM (ANALYZE)');
    await database.query('CHECKPOINT');
    const before = new Map(system.processes().map((pid) => [pid, residentMemoryOf(pid)]));
    let growthMb = 0;
    const walBefore = await this.walBytes();
    const startedAt = performance.now();
    await begin();
    const done = async () => {
      for (const [pid, memory] of before) {
        growthMb = Math.max(growthMb, residentMemoryOf(pid) - memory);
      }
      return isDone();
    };
    await eventually('the crawl is complete', done, { timeoutMs, intervalMs });
    const seconds = (performance.now() - startedAt) / 1_000;
    const walMb = ((await this.walBytes()) - walBefore) / 1e6;
    const { calls } = await this.provider.report();
    return {
      seconds,
      walMb,
      growthMb,
      rate: registrations / seconds,
      calls: calls['registrations'] ?? 0,
    };
  }

  /** Adds a realm with the first applications of the provider. Returns its pair of credentials. */
  async addApplications(count: number): Promise<AddedRealm['pair']> {
    let pair = { realm_guid: '', realm_secret_key: '' };
    await this.asOperator(async (bus) => {
      const { realmGuid, realmSecretKey } = await bus.request(createRealm, { name: 'crawled' });
      pair = { realm_guid: realmGuid, realm_secret_key: realmSecretKey };
      for (let number = 1; number <= count; number += 1) {
        const appId = `scale-${number}`;
        await bus.request(createProviderApplication, {
          realmGuid,
          name: appId,
          appId,
          baseUrl: this.provider.url,
          secretKey: 'unused',
        });
      }
    });
    return pair;
  }

  sweep(): Promise<void> {
    return this.asOperator(async (bus) => void (await bus.request(sweepApplications, {})));
  }

  async crawlChanges(): Promise<void> {
    await this.started.database.query(
      `UPDATE crawler.due_crawls SET due_at = now() WHERE kind = 'changed-registrations'`,
    );
  }

  /** Whether so many registrations of the provider are stored with such a total time. */
  async hasStored(count: number, seconds: number): Promise<boolean> {
    // Counting is expensive, and too early while events are on their way.
    if (await this.has('SELECT FROM crawler.outbox')) return false;
    const dueNow = `due_at <= now() AND kind = 'changed-registrations'`;
    if (await this.has(`SELECT FROM crawler.due_crawls WHERE ${dueNow}`)) return false;
    const { rows } = await this.started.database.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM enrolment.registrations
       WHERE result_sequence > 0 AND totaltime = $1 AND starts_with(registration_guid, 'scale-')`,
      [seconds],
    );
    return rows[0]?.count === count;
  }

  /** Whether enrolment has recorded the end of a sweep of so many applications. */
  async hasSwept(applications: number): Promise<boolean> {
    const { rows } = await this.started.database.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM enrolment.crawled_applications AS a
       JOIN identity.provider_applications AS p ON p.id = a.provider_application_id
       WHERE a.swept_at IS NOT NULL AND starts_with(p.app_id, 'scale-')`,
    );
    return rows[0]?.count === applications;
  }

  /** How many registrations of the provider are stored. */
  async countStored(): Promise<number> {
    const { rows } = await this.started.database.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM enrolment.registrations
       WHERE starts_with(registration_guid, 'scale-')`,
    );
    return rows[0]?.count ?? 0;
  }

  /** How many windows the lists that are being crawled are divided into. */
  async countWindows(): Promise<number> {
    const { rows } = await this.started.database.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM crawler.crawl_windows`,
    );
    return rows[0]?.count ?? 0;
  }

  private async has(query: string): Promise<boolean> {
    const { rowCount } = await this.started.database.query(`${query} LIMIT 1`);
    return rowCount !== 0;
  }

  private async walBytes(): Promise<number> {
    const { rows } = await this.started.database.query<{ bytes: number }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes`,
    );
    return rows[0]?.bytes ?? 0;
  }

  private asOperator(work: (bus: BusClient) => Promise<void>): Promise<void> {
    return asOperator(this.started.system, work);
  }
}
