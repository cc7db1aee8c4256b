import { sampledGauge } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { PostbackRows } from './postback-rows.ts';

/** Counts deliveries of postbacks and measures how many are pending. */
@Injectable()
export class PostbackMetrics {
  readonly #sent: Counter<'outcome'>;

  constructor(registry: Registry, rows: PostbackRows) {
    this.#sent = new Counter({
      name: 'registrar_postbacks_total',
      help: 'Attempts to post the result of a registration, by outcome.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    sampledGauge(
      registry,
      {
        name: 'registrar_postbacks_pending',
        help: 'Registrations whose result is to be posted.',
      },
      () => rows.countPending(),
    );
  }

  count(outcome: 'delivered' | 'failed' | 'abandoned'): void {
    this.#sent.inc({ outcome });
  }
}
