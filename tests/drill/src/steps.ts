/** A step, with times of `performance.now()`. */
interface Step {
  readonly name: string;
  readonly begunMs: number;
  readonly endedMs: number;
}

/** Times the steps of a drill, and prints each when it has ended. */
export class Steps {
  readonly #steps: Step[] = [];

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const begunMs = performance.now();
    const result = await work();
    const endedMs = performance.now();
    this.#steps.push({ name, begunMs, endedMs });
    process.stdout.write(`${seconds(endedMs - begunMs).padStart(9)}  ${name}\n`);
    return result;
  }

  /** The time from the begin of a step to the end of another, in milliseconds. */
  between(first: string, last: string): number {
    const find = (name: string) => {
      const step = this.#steps.find((each) => each.name === name);
      if (!step) throw new Error(`the drill has no step "${name}"`);
      return step;
    };
    return find(last).endedMs - find(first).begunMs;
  }
}

/** A duration for people. */
export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
