import { Counts } from './counts.ts';

/** Work that runs in a place of a queue. */
export interface RunningWork {
  /** Gives the place back because the work hangs by a fault that is not its owner's, unless too much hangs already. */
  readonly hang: () => void;
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

  /** @param giveBack gives the place of the work back */
  begin(realmId: number, giveBack: () => void): RunningWork {
    let hangs = false;
    let hasPlace = true;
    return {
      hang: () => {
        if (!hangs) this.#ofRealms.add(realmId, 1);
        hangs = true;
        if (!hasPlace || this.#withoutPlace >= this.maxWithoutPlace) return;
        hasPlace = false;
        this.#withoutPlace += 1;
        giveBack();
      },
      end: () => {
        if (hangs) this.#ofRealms.add(realmId, -1);
        if (!hasPlace) this.#withoutPlace -= 1;
        return hasPlace;
      },
    };
  }
}
