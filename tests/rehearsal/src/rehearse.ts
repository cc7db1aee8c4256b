import {
  BalancedClient,
  compare,
  importCourses,
  Ledger,
  Load,
  NodeFaults,
  rollingUpgrade,
  rollOut,
  rotateSecrets,
  startDistributed,
  type System,
} from '@registrar/chaos';
import { crawlAll, deleteQueues } from '@registrar/drill';
import { SeededRandom } from '@registrar/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabasePair } from './database-pair.ts';
import { type StepResult, takeResult, violationsOf } from './step.ts';

const clientCount = 6;

/** How long clients use the system in calm times, and before and after each disturbance: milliseconds. */
const calmMs = 15_000;
const aroundMs = 3_000;

/** How long the node of the broker is away that is lost: milliseconds. */
const nodeAwayMs = 15_000;

/** Time in which the system must become consistent after a step: milliseconds. */
const settleTimeoutMs = 60_000;

/** The result of a rehearsal. */
export interface Rehearsed {
  /** How long the installation took: seconds. */
  readonly installSeconds: number;
  readonly steps: readonly StepResult[];
  /** The processes that an error of theirs ended. */
  readonly crashes: readonly string[];
}

/**
 * Walks an installation through its life while clients use it: three broker nodes, a primary and a
 * standby of PostgreSQL, two replicas of every app.
 *
 * @param directory receives the data and logs of the database
 */
export async function rehearse(
  directory: string,
  resources: AsyncDisposableStack,
): Promise<Rehearsed> {
  const begun = Date.now();
  const database = await DatabasePair.start(resources, directory);
  const system = await startDistributed(resources, { brokers: 3, databaseUrl: database.url });
  const installSeconds = (Date.now() - begun) / 1_000;
  const steps = await new Rehearsal(system, database, await importCourses(system)).run();
  return { installSeconds, steps, crashes: system.processes.flatMap(({ crashes }) => crashes) };
}

type Required<Part extends keyof System> = NonNullable<System[Part]>;

class Rehearsal {
  readonly #ledger = new Ledger();
  readonly #calls: BalancedClient;
  readonly #broker: Required<'broker'>;
  readonly #next: Required<'next'>;
  readonly #rotation: Required<'rotation'>;
  readonly #steps: StepResult[] = [];

  constructor(
    private readonly system: System,
    private readonly database: DatabasePair,
    private readonly courses: readonly string[],
  ) {
    this.#calls = this.#clientOf(this.#ledger);
    const { broker, next, rotation } = system;
    if (!broker || !next || !rotation) throw new Error('the system is not distributed');
    this.#broker = broker;
    this.#next = next;
    this.#rotation = rotation;
  }

  async run(): Promise<StepResult[]> {
    const { system, database } = this;
    const [ledger, calls] = [this.#ledger, this.#calls];
    await this.#step('load', () => pause(calmMs));
    await this.#brokerStep('broker node lost', (nodes) => nodes.kill(0, nodeAwayMs));
    await this.#brokerStep('broker rolled', (nodes) => nodes.roll());
    await this.#step('database failed over', async () => {
      await database.failOver();
      await pause(calmMs);
    });
    await this.#restoreStep();
    await this.#step('upgrade', async () => {
      const { failures } = await rollingUpgrade(system, this.#next, ledger, calls);
      return failures;
    });
    await this.#step('rollback to the version before', () =>
      rollOut(system, (process) => this.#next.previousEntryOf(process), calls),
    );
    await this.#step('rotation of the secrets', async () => {
      const rotations = await rotateSecrets(system, this.#rotation, ledger, calls);
      return rotations.flatMap(({ failures }) => failures);
    });
    return this.#steps;
  }

  /** @param disturb returns what failed beside the requests that are in the ledger */
  async #step(
    name: string,
    disturb: () => Promise<readonly string[] | void>,
    changes: () => readonly number[] = () => [],
  ): Promise<void> {
    const load = this.#load(this.#ledger, name);
    await pause(aroundMs);
    const begunAt = Date.now();
    const failures = (await disturb()) ?? [];
    await pause(aroundMs);
    await load.stop();
    const endedAt = Date.now();
    const errorsLastedMs = changes();
    const result = takeResult(this.#ledger, name, { begunAt, endedAt });
    const violations = await this.#settle(new Date(endedAt));
    this.#add({
      ...result,
      failed: [...failures, ...result.failed],
      errorsLastedMs,
      violations,
    });
  }

  async #brokerStep(name: string, disturb: (nodes: NodeFaults) => Promise<void>): Promise<void> {
    const nodes = new NodeFaults(this.#broker);
    await this.#step(
      name,
      () => disturb(nodes),
      () => nodes.changes(this.#ledger).map(({ errorsLastedMs }) => errorsLastedMs),
    );
  }

  /** Restores the database to a moment. What clients write after it is meant to be lost. */
  async #restoreStep(): Promise<void> {
    const { system, database } = this;
    const name = 'restore to a point in time';
    await database.backUp();
    const load = this.#load(this.#ledger, name);
    await pause(aroundMs);
    await load.stop();
    const moment = await database.moment();
    const mistakes = this.#load(new Ledger(), 'mistakes');
    await database.archived(moment);
    const begunAt = Date.now();
    await mistakes.stop();
    await Promise.all(system.processes.map((process) => process.hold()));
    await database.restore(moment);
    const [node] = this.#broker.nodes;
    if (node) await deleteQueues(node);
    for (const process of system.processes) process.release();
    await Promise.all(system.processes.map((process) => process.ready()));
    const again = this.#load(this.#ledger, `${name}, after it`);
    await crawlAll(this.#rotation.registrar);
    await again.stop();
    const endedAt = Date.now();
    const result = takeResult(this.#ledger, name, { begunAt, endedAt });
    this.#add({ ...result, errorsLastedMs: [], violations: await this.#settle(new Date(endedAt)) });
  }

  #clientOf(ledger: Ledger): BalancedClient {
    const { realm_guid, realm_secret_key } = this.system.facts;
    return new BalancedClient(this.system.baseUrls, { realm_guid, realm_secret_key }, ledger);
  }

  #load(ledger: Ledger, name: string): Load {
    const calls = ledger === this.#ledger ? this.#calls : this.#clientOf(ledger);
    const prefix = name.replaceAll(/\W+/g, '-');
    const load = new Load(calls, ledger, new SeededRandom(1), this.courses, prefix);
    load.add(clientCount);
    return load;
  }

  async #settle(disturbedUntil: Date): Promise<string[]> {
    const deadline = Date.now() + settleTimeoutMs;
    for (;;) {
      const found = violationsOf(await compare(this.#ledger, this.database.url, disturbedUntil));
      if (found.length === 0 || Date.now() > deadline) return found;
      await pause(500);
    }
  }

  #add(result: StepResult): void {
    this.#steps.push(result);
    process.stdout.write(`${result.name}: ${result.seconds.toFixed(0)} s\n`);
  }
}
