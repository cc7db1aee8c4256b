import type { FuzzRequest } from './fuzz-request.ts';
import type { FuzzOperation } from './operations.ts';
import { hostileClasses } from './values.ts';

/** Counts what a run has tried: operations, their parameters by class of value, accesses and statuses. */
export class Coverage {
  readonly #tried = new Set<string>();
  /** How often each operation had each status. */
  readonly #statuses = new Map<string, Map<number, number>>();

  /** @param accesses the kinds of access that an operation is tried with */
  constructor(
    private readonly operations: readonly FuzzOperation[],
    private readonly accesses: (operation: FuzzOperation) => readonly string[],
  ) {}

  add({ operation, access, covers }: FuzzRequest, status: number): void {
    const name = operation?.name ?? 'no operation';
    const statuses = this.#statuses.get(name) ?? new Map<number, number>();
    this.#statuses.set(name, statuses.set(status, (statuses.get(status) ?? 0) + 1));
    this.#tried.add(`${name}: access ${access}`);
    for (const each of covers) this.#tried.add(`${name}: ${each}`);
  }

  /** What has not been tried, and operations that never succeeded. */
  gaps(): string[] {
    return this.operations.flatMap((operation) => [
      ...this.#untried(operation).map((goal) => `not tried: ${goal}`),
      ...(this.#hasSucceeded(operation) ? [] : [`never succeeded: ${operation.name}`]),
    ]);
  }

  /** A line for each operation: how many of its values and accesses were tried, and its statuses. */
  report(): string {
    const rows = this.operations.map((operation) => {
      const goals = this.#goals(operation).length;
      const tried = `${goals - this.#untried(operation).length}/${goals}`;
      return `  ${operation.name.padEnd(56)} ${tried.padStart(8)}  ${this.#statusesOf(operation.name)}`;
    });
    return [
      '  operation, how many of its values and accesses were tried, statuses',
      ...rows,
      `  ${'other paths and methods'.padEnd(65)}  ${this.#statusesOf('no operation')}`,
    ].join('\n');
  }

  #goals(operation: FuzzOperation): string[] {
    const { name, parameters } = operation;
    return [
      ...this.accesses(operation).map((access) => `${name}: access ${access}`),
      ...parameters.flatMap((parameter) =>
        valueClasses.map((each) => `${name}: ${parameter.name} ${each}`),
      ),
    ];
  }

  #untried(operation: FuzzOperation): string[] {
    return this.#goals(operation).filter((goal) => !this.#tried.has(goal));
  }

  #hasSucceeded({ name }: FuzzOperation): boolean {
    return [...(this.#statuses.get(name)?.keys() ?? [])].some(
      (status) => status >= 200 && status < 304,
    );
  }

  #statusesOf(name: string): string {
    const statuses = [...(this.#statuses.get(name) ?? [])].toSorted(([a], [b]) => a - b);
    return statuses.map(([status, count]) => `${status}: ${count}`).join(' ');
  }
}

const valueClasses = ['valid', 'of another realm', ...hostileClasses];
