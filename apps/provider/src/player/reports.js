/* global clearTimeout, document, fetch, queueMicrotask, setTimeout, TextEncoder, URL */

/** Changes within this time go into one report. */
const batchDelayMs = 1000;
/** Delay before a failed report is sent again; it doubles up to the maximum. */
const retryDelayMs = { initial: 1000, max: 30_000 };
/** Browsers limit keepalive requests to 64 KiB (Fetch Standard, "HTTP-network-or-cache fetch"). */
const maxKeepaliveBytes = 60_000;

/**
 * Reports the run-time data of one opened part of the course. A report contains the changes since
 * the last report that is known to be stored, and a sequence number, so that the provider ignores
 * one that arrives late.
 */
export class Reports {
  #opening;
  #read;
  #callbacks;
  #sequence = 0;
  /** The number of the newest report that is known to be stored. */
  #storedSequence = 0;
  /** The branches of the data model that are known to be stored, as JSON text. */
  #stored = new Map();
  /** The data has changed since the last report was made. */
  #isDirty = false;
  /** The window is closing. */
  #isClosing = false;
  /** A last report is queued. */
  #isLastQueued = false;
  #timer;
  #sending = null;
  #stopped = false;

  /**
   * @param {{ activityId: string, sitting: number }} opening
   * @param {() => { runtime: object, seconds: number, ended: boolean }} read returns the state to report
   * @param {{ saved: (standings: object) => void, delayed: () => void, rejected: (status: number) => void }} callbacks
   */
  constructor(opening, read, callbacks) {
    this.#opening = opening;
    this.#read = read;
    this.#callbacks = callbacks;
  }

  /** Sends a report after {@link batchDelayMs}, with all changes until then. */
  schedule() {
    if (this.#isClosing) this.sendLast();
    else this.#timer ??= setTimeout(() => void this.sendNow(), batchDelayMs);
  }

  /** Sends a report at once. Resolves when all changes are stored or reporting has stopped. */
  sendNow() {
    if (this.#isClosing) {
      this.sendLast();
      return Promise.resolve();
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDirty = true;
    this.#sending ??= this.#sendUntilStored().finally(() => (this.#sending = null));
    return this.#sending;
  }

  /**
   * Sends a report while the window closes, without waiting for the response. Changes of the same
   * task go into one report, because the bytes that a closing page can send are limited.
   */
  sendLast() {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    if (this.#isLastQueued || this.#stopped) return;
    this.#isLastQueued = true;
    queueMicrotask(() => {
      this.#isLastQueued = false;
      void this.#send();
    });
  }

  /** Stops reporting for this opening. */
  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #sendUntilStored() {
    let delay = retryDelayMs.initial;
    while (this.#isDirty && !this.#stopped) {
      this.#isDirty = false;
      if (await this.#send()) {
        delay = retryDelayMs.initial;
        continue;
      }
      if (this.#stopped) return;
      this.#isDirty = true;
      this.#callbacks.delayed();
      await new Promise((resolve) => setTimeout(resolve, delay));
      delay = Math.min(delay * 2, retryDelayMs.max);
    }
  }

  /** @returns {Promise<boolean>} whether the report is stored */
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
      closing: this.#isClosing,
    });
    const response = await post('reports', body, this.#isClosing).catch(() => null);
    if (response?.ok) {
      // A later report that was stored first contained these changes, or newer ones.
      if (sequence > this.#storedSequence) {
        this.#storedSequence = sequence;
        for (const [name, text] of changed) this.#stored.set(name, text);
      }
      this.#callbacks.saved(await response.json().catch(() => ({})));
      return true;
    }
    // Whether the report was stored is unknown, so that the next report contains everything.
    this.#stored.clear();
    if (response && response.status < 500 && !this.#stopped) {
      this.stop();
      this.#callbacks.rejected(response.status);
    }
    return false;
  }
}

/** Posts JSON to a path of this course window; with `isClosing`, also while the page closes. */
export function post(path, body, isClosing = false) {
  return fetch(new URL(path, document.baseURI), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    keepalive: isClosing && new TextEncoder().encode(body).length <= maxKeepaliveBytes,
  });
}
