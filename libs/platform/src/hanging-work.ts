import { Counts } from './places.ts';

/** Work in a place of a queue, which hangs by a fault that is not its owner's. */
export interface HungWork {
  /** Gives the place back, unless too much work has none already: then at the next call. */
  readonly giveBackPlace: () => void;
  /** @returns whether the work held its place until its end */
  readonly end: () => boolean;
}

/** Counts the work of a queue that hangs, for instance at a replica that is frozen. */
export class HangingWork {
  readonly #ofRealms = new Counts<number>();
  #withoutPlace = 0;

  /** @param maxWithoutPlace how much of it gives its place back */
  constructor(private readonly maxWithoutPlace: number) {}

  /** Whether work of a realm hangs. */
  isOf(realmId: number): boolean {
    return this.#ofRealms.of(realmId) > 0;
  }

  /**
   * Counts work that begins to hang.
   *
   * @param giveBack gives the place of the work back
   */
  add(realmId: number, giveBack: () => void): HungWork {
    this.#ofRealms.add(realmId, 1);
    let hasPlace = true;
    return {
      giveBackPlace: () => {
        if (!hasPlace || this.#withoutPlace >= this.maxWithoutPlace) return;
        hasPlace = false;
        this.#withoutPlace += 1;
        giveBack();
      },
      end: () => {
        this.#ofRealms.add(realmId, -1);
        if (!hasPlace) this.#withoutPlace -= 1;
        return hasPlace;
      },
    };
  }
}
