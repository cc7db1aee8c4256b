/** Delay before a failed request is sent again; it doubles up to the maximum. */
const delayMs = { initial: 1000, max: 30_000 };
/** After this time no request succeeds any more: course windows last 12 hours. */
const maxFailingMs = 12 * 60 * 60_000;

/** Repeats a request that failed, after growing delays, and at once when the browser is online again. */
export class Retry {
  #delay = delayMs.initial;
  #failingSince = null;
  #timer;
  #run = null;

  get isScheduled() {
    return this.#run !== null;
  }

  /**
   * Calls back when the request is to be sent again.
   *
   * @param {() => void} again
   * @returns {boolean} false if requests have failed for too long
   */
  schedule(again) {
    this.#failingSince ??= Date.now();
    if (Date.now() - this.#failingSince > maxFailingMs) return false;
    this.#cancel();
    const run = () => {
      this.#cancel();
      again();
    };
    this.#run = run;
    this.#timer = setTimeout(run, this.#delay);
    window.addEventListener('online', run);
    this.#delay = Math.min(this.#delay * 2, delayMs.max);
    return true;
  }

  /** Cancels what is scheduled. Later failures begin with the first delay again. */
  reset() {
    this.#cancel();
    this.#delay = delayMs.initial;
    this.#failingSince = null;
  }

  #cancel() {
    clearTimeout(this.#timer);
    if (this.#run) window.removeEventListener('online', this.#run);
    this.#run = null;
  }
}
