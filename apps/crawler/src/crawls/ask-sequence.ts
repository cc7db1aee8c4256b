import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** When a provider is asked: the place in the order of all questions, and the time. */
export interface Asked {
  readonly sequence: number;
  readonly at: Date;
}

/** One counter for the questions of all replicas (libs/contracts, crawler). */
@Injectable()
export class AskSequence {
  constructor(private readonly database: Database) {}

  /** To be called before the provider is asked. */
  async next(): Promise<Asked> {
    const [asked] = await this.database.query<{ sequence: string; at: Date }>(
      `SELECT nextval('crawl_sequence') AS sequence, clock_timestamp() AS at`,
    );
    if (!asked) throw new Error('a sequence answered nothing');
    return { sequence: Number(asked.sequence), at: asked.at };
  }
}
