import {
  ArchivedPostgres,
  findPostgresPrograms,
  type Moment,
  type Place,
  startObjectStore,
} from '@registrar/drill';
import { type Balancer, freePort, startBalancer } from '@registrar/testing';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The servers that a rehearsal has one after the other: the first primary, its standby, and a restored one. */
const serverCount = 3;

/**
 * A primary and a standby of PostgreSQL behind one address, which commits are on both before they are
 * acknowledged. The log is archived, so that the database can be restored to an earlier moment.
 */
export class DatabasePair {
  #standby: ArchivedPostgres | null = null;
  #serving = 0;

  private constructor(
    private readonly resources: AsyncDisposableStack,
    private readonly places: readonly Place[],
    private readonly balancer: Balancer,
    private primary: ArchivedPostgres,
  ) {}

  /** @param directory receives the data, the logs and the archive */
  static async start(resources: AsyncDisposableStack, directory: string): Promise<DatabasePair> {
    const programs = await findPostgresPrograms();
    const servers = join(directory, 'postgres');
    await mkdir(servers);
    const store = resources.adopt(await startObjectStore(join(directory, 'store')), (each) =>
      each.close(),
    );
    const ports = await Promise.all(Array.from({ length: serverCount }, () => freePort()));
    const places = ports.map((port, at) => ({
      programs,
      directory: servers,
      store,
      port,
      name: `database-${at + 1}`,
    }));
    const balancer = resources.adopt(await startBalancer(ports), (each) => each.close());
    ports.forEach((_, at) => at > 0 && balancer.drain(at));
    const [place] = places as [Place];
    const primary = resources.adopt(await ArchivedPostgres.create(place), (each) => each.stop());
    const pair = new DatabasePair(resources, places, balancer, primary);
    pair.#standby = await pair.#follow();
    await primary.replicateSynchronously();
    return pair;
  }

  /** The address of whichever server is the primary. */
  get url(): string {
    return this.primary.url.replace(/:\d+\//, `:${this.balancer.port}/`);
  }

  /** Loses the primary at once, and makes the standby the primary. */
  async failOver(): Promise<void> {
    const standby = this.#standby;
    if (!standby) throw new Error('there is no standby');
    await this.primary.kill();
    await standby.promote();
    this.#standby = null;
    this.#serve(standby);
  }

  /** Takes a base backup of the primary while it is in use. */
  async backUp(): Promise<void> {
    await this.primary.backUp();
  }

  /** The current moment. */
  moment(): Promise<Moment> {
    return this.primary.moment();
  }

  /** Resolves when the log up to a moment is in the archive. */
  archived(moment: Moment): Promise<void> {
    return this.primary.archived(moment);
  }

  /** Loses the primary and its data, and restores them to an earlier moment. */
  async restore({ at }: Moment): Promise<void> {
    const source = this.places[this.#serving];
    const place = this.places[this.#serving + 1];
    if (!source || !place) throw new Error('there is no place for another server');
    await this.primary.destroy();
    const restored = await ArchivedPostgres.restore(place, source.name, at);
    this.#serve(this.resources.adopt(restored, (each) => each.stop()));
  }

  async #follow(): Promise<ArchivedPostgres> {
    const place = this.places[this.#serving + 1];
    if (!place) throw new Error('there is no place for another server');
    return this.resources.adopt(await ArchivedPostgres.follow(place, this.primary), (each) =>
      each.stop(),
    );
  }

  #serve(server: ArchivedPostgres): void {
    this.primary = server;
    this.balancer.drain(this.#serving);
    this.#serving += 1;
    this.balancer.restore(this.#serving);
  }
}
