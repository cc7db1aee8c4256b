/* global clearTimeout, document, fetch, queueMicrotask, setTimeout, TextEncoder, URL */

/** After a change, how long to wait for more: milliseconds. */
const patience = 1000;
/** How long to wait after a report that did not get through: at first, and at most. */
const pauses = { first: 1000, longest: 30_000 };
/** Browsers send no more than 64 KiB for a page that is gone (Fetch, 4.6). */
const partingBytes = 60_000;

/**
 * Reports what happens in one opened part of the course. A report says what has changed since the
 * last one that is known to be stored, and carries a number: one that comes late, or never, takes
 * nothing away.
 */
export class Reports {
  #opening;
  #read;
  #tell;
  #sequence = 0;
  /** The number of the newest report that is known to be stored. */
  #storedSequence = 0;
  /** The branches of the data model that are known to be stored, as text. */
  #stored = new Map();
  #isDue = false;
  #isParting = false;
  #hasLastWords = false;
  #timer;
  #running = null;
  #stopped = false;

  /**
   * @param {{ activityId: string, sitting: number }} opening
   * @param {() => { runtime: object, seconds: number, ended: boolean }} read the state to report
   * @param {{ saved: (standings: object) => void, delayed: () => void, refused: (status: number) => void }} tell
   */
  constructor(opening, read, tell) {
    this.#opening = opening;
    this.#read = read;
    this.#tell = tell;
  }

  /** Reports soon, together with what changes until then. */
  soon() {
    if (this.#isParting) this.part();
    else this.#timer ??= setTimeout(() => void this.now(), patience);
  }

  /** Reports at once; the promise ends when all is stored, or can never be. */
  now() {
    if (this.#isParting) {
      this.part();
      return Promise.resolve();
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = true;
    this.#running ??= this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  /**
   * Reports while the window closes: nothing can be awaited any more. What is said in one breath
   * goes in one report, since a closing page may send little.
   */
  part() {
    this.#isParting = true;
    clearTimeout(this.#timer);
    if (this.#hasLastWords || this.#stopped) return;
    this.#hasLastWords = true;
    queueMicrotask(() => {
      this.#hasLastWords = false;
      void this.#send();
    });
  }

  /** Says that nothing of this opening is reported any more. */
  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #run() {
    let pause = pauses.first;
    while (this.#isDue && !this.#stopped) {
      this.#isDue = false;
      if (await this.#send()) {
        pause = pauses.first;
        continue;
      }
      if (this.#stopped) return;
      this.#isDue = true;
      this.#tell.delayed();
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, pauses.longest);
    }
  }

  /** @returns whether the report is stored */
  async #send() {
    const { runtime, seconds, ended } = this.#read();
    const branches = Object.entries(runtime).map(([name, value]) => [name, JSON.stringify(value)]);
    const changed = branches.filter(([name, text]) => this.#stored.get(name) !== text);
    const sequence = (this.#sequence += 1);
    const body = JSON.stringify({
      ...this.#opening,
      sequence,
      seconds,
      runtime: Object.fromEntries(changed.map(([name, text]) => [name, JSON.parse(text)])),
      ended,
      closing: this.#isParting,
    });
    const answer = await post('reports', body, this.#isParting).catch(() => null);
    if (answer?.ok) {
      // One that overtook this one has told of the same changes, and of later ones.
      if (sequence > this.#storedSequence) {
        this.#storedSequence = sequence;
        for (const [name, text] of changed) this.#stored.set(name, text);
      }
      this.#tell.saved(await answer.json().catch(() => ({})));
      return true;
    }
    // It may have been stored all the same: the next one says everything.
    this.#stored.clear();
    if (answer && answer.status < 500 && !this.#stopped) {
      this.stop();
      this.#tell.refused(answer.status);
    }
    return false;
  }
}

/** Sends JSON to an address of this course window. */
export function post(path, body, isParting = false) {
  return fetch(new URL(path, document.baseURI), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    keepalive: isParting && new TextEncoder().encode(body).length <= partingBytes,
  });
}
