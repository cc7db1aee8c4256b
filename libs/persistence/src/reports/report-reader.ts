import { maxAgeSeconds } from '@registrar/contracts';
import { clock, type Logger, PeriodicTask } from '@registrar/platform';
import { type OnApplicationShutdown } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';
import * as z from 'zod';
import type { Database } from '../database.ts';
import type { RowSchema } from '../row-schema.ts';
import type { Sql } from '../sql.ts';
import {
  type Standby,
  type StandbyFault,
  standbyFaults,
  StandbyUnusable,
  withinResponseTime,
} from './standby.ts';
import {
  selectPrimaryPlace,
  selectStandbyPlace,
  type WalPlace,
  walPlace,
  WalPositions,
} from './wal-positions.ts';

/** How long a standby is not tried after it was unusable: milliseconds. */
const pauseMs = 10_000;
/** How long a position of the primary is the newest one while reports are read: milliseconds. */
const positionAgeMs = 1_000;

/** Runs one statement and returns its rows. */
export type SelectRows = (statement: Sql) => Promise<unknown>;

/** Where a report is read from. */
export interface ReportSource {
  readonly database: Database;
  /**
   * Checks the server of a connection; to be called with the connection before it reads anything. Several
   * standbys may share an address.
   *
   * @throws {StandbyUnusable}
   */
  readonly check: (select: SelectRows) => Promise<void>;
  /** Returns all rows of a statement, on a connection that was checked. */
  many<Row>(schema: RowSchema<Row>, statement: Sql): Promise<Row[]>;
}

/** What a report has read. */
export interface Report<T> {
  readonly value: T;
  /** How old the data were, at most: seconds, rounded up; null for data of the primary, which are current. */
  readonly ageSeconds: number | null;
}

/**
 * Reads that may show data of up to a minute ago: from a standby if there is one, and otherwise, or
 * while it cannot be used, from the primary (docs/operations.md#reports-from-a-standby). What decides on
 * access, and what a request reads after it has written, is never read by it.
 */
export class ReportReader implements OnApplicationShutdown {
  readonly #positions = new WalPositions();
  readonly #reads: Counter<'source' | 'cause'>;
  /** The last fault, and until when the standby is not tried because of it. */
  #fault: StandbyFault | null = null;
  #pausedUntil = -Infinity;

  constructor(
    private readonly primary: Database,
    private readonly standby: Standby | null,
    registry: Registry,
    private readonly logger: Logger,
  ) {
    this.#reads = new Counter({
      name: 'registrar_report_reads_total',
      help: 'Reads of reports by source, and why the primary was read.',
      labelNames: ['source', 'cause'],
      registers: [registry],
    });
    if (!standby) return;
    // So that the first read of each kind is an increase.
    this.#reads.inc({ source: 'standby', cause: '' }, 0);
    for (const cause of standbyFaults) this.#reads.inc({ source: 'primary', cause }, 0);
  }

  /**
   * Reads a report.
   *
   * @param work repeated on the primary when the standby fails; so it leaves nothing behind when it fails
   * @param mayBeOld false reads the primary
   */
  async read<T>(work: (source: ReportSource) => Promise<T>, mayBeOld: boolean): Promise<Report<T>> {
    const { standby } = this;
    if (standby && mayBeOld) {
      if (clock.monotonic() >= this.#pausedUntil) {
        if (clock.monotonic() - this.#positions.lastAt > positionAgeMs) await this.notePosition();
        try {
          return await this.#readStandby(standby, work);
        } catch (error) {
          const unusable = StandbyUnusable.fromError(error);
          if (!unusable) throw error;
          this.#noteFault(unusable);
        }
      }
      this.#reads.inc({ source: 'primary', cause: this.#fault ?? 'unavailable' });
    }
    return { value: await work(this.#primarySource), ageSeconds: null };
  }

  /** Notes where the primary is, so that a report finds how old the data of the standby are. */
  @PeriodicTask({ name: 'note WAL position', everyMs: 5_000, restMs: 20_000, timeoutMs: 5_000 })
  async notePosition(): Promise<void> {
    if (!this.standby) return;
    const at = clock.monotonic();
    this.#positions.note(await this.primary.one(walPlace, selectPrimaryPlace), at);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.standby?.close();
  }

  get #primarySource(): ReportSource {
    const { primary } = this;
    return {
      database: primary,
      check: async () => undefined,
      many: (schema, statement) => primary.many(schema, statement),
    };
  }

  async #readStandby<T>(
    standby: Standby,
    work: (source: ReportSource) => Promise<T>,
  ): Promise<Report<T>> {
    const database = await standby.database();
    let ageMs = Infinity;
    const check = async (select: SelectRows) => {
      const rows = await withinResponseTime(() => select(selectStandbyPlace));
      const [place] = z.array(walPlace).length(1).parse(rows);
      ageMs = this.#requireRecent(place!);
    };
    const many = <Row>(schema: RowSchema<Row>, statement: Sql) =>
      database.transaction(async () => {
        await check((select) => database.many(walPlace, select));
        return database.many(schema, statement);
      });
    const value = await work({ database, check, many });
    this.#noteUse();
    return { value, ageSeconds: Math.ceil(ageMs / 1_000) };
  }

  /**
   * Returns how old the data of a standby may be: milliseconds.
   *
   * @throws {StandbyUnusable} `mismatch`, `behind`
   */
  #requireRecent(place: WalPlace): number {
    if (!this.#positions.isStandby(place)) {
      const message = 'it is no standby of the server at DATABASE_URL, or was not since a failover';
      throw new StandbyUnusable('mismatch', message);
    }
    const ageMs = this.#positions.ageMs(place, clock.monotonic());
    if (ageMs !== null) return ageMs;
    throw new StandbyUnusable('behind', `its data are older than ${maxAgeSeconds} s`);
  }

  #noteUse(): void {
    if (this.#fault !== null) this.logger.info('reports are read from the standby again');
    this.#fault = null;
    this.#pausedUntil = -Infinity;
    this.#reads.inc({ source: 'standby', cause: '' });
  }

  /** A standby that is behind or that has cancelled a statement responds: it is tried again at once. */
  #noteFault({ fault, message }: StandbyUnusable): void {
    if (fault !== this.#fault) {
      this.logger.warn(
        { reason: message },
        'reports are read from the primary instead of the standby',
      );
    }
    this.#fault = fault;
    const isPaused = fault === 'unavailable' || fault === 'mismatch';
    if (isPaused) this.#pausedUntil = clock.monotonic() + pauseMs;
  }
}
