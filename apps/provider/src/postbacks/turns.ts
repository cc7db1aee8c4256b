/** Deliveries of one replica at a time, in all and for one application. */
const places = 32;
const placesOfApplication = 4;

/** The applications whose last turn is remembered. */
const maxServed = 1_000;

/**
 * The places for deliveries. An application with a slow receiver cannot hold all of them, and
 * applications take turns.
 */
export class Turns {
  readonly #running = new Map<number, number>();
  /** In the order of their last turn. */
  readonly #served = new Set<number>();

  get free(): number {
    return places - [...this.#running.values()].reduce((sum, running) => sum + running, 0);
  }

  /** The applications that have no place left. */
  get busy(): number[] {
    return [...this.#running].flatMap(([id, running]) =>
      running >= placesOfApplication ? id : [],
    );
  }

  /** The applications in the order of their last turn, the latest one at the end. */
  get served(): number[] {
    return [...this.#served];
  }

  begin(application: number): void {
    this.#running.set(application, (this.#running.get(application) ?? 0) + 1);
    this.#served.delete(application);
    this.#served.add(application);
    const [oldest] = this.#served;
    if (this.#served.size > maxServed && oldest !== undefined) this.#served.delete(oldest);
  }

  end(application: number): void {
    const running = (this.#running.get(application) ?? 0) - 1;
    if (running > 0) this.#running.set(application, running);
    else this.#running.delete(application);
  }
}
