import { byteLength, keepaliveRoom, post } from './post.js';
import { resultsIn } from './results.js';
import { Retry } from './retry.js';

/** Bytes of the branches that travel ahead of large ones: status, score, time, location. */
const maxSmallBytes = 4096;
/** Keepalive bytes that large branches leave free, for several small reports. */
const reservedBytes = 4 * maxSmallBytes;

/**
 * Reports the run-time data of one opened part of the course. A report contains branches of the data
 * model that were not sent before. The provider orders them branch by branch by the report's
 * sequence number, so that reports may overtake each other.
 */
export class Reports {
  #opening;
  /** Changes within this time go into one report. A page that is killed loses no older ones. */
  #intervalMs;
  #read;
  #callbacks;
  #sequence = 0;
  /** The newest sent value of each branch as JSON text, the number of its report, and its outcome. */
  #sent = new Map();
  /** A report is due, if only for the time or the end of the session. */
  #isDue = false;
  /** A microtask will send the report that is due. */
  #isQueued = false;
  /** Reports without a response. */
  #pending = 0;
  /** Reports without a response that end with the page. */
  #pendingWithPage = 0;
  /** Large branches wait for the response to earlier ones. */
  #largeWaits = false;
  /** The window is closing. */
  #isClosing = false;
  #isStopped = false;
  #batchTimer;
  #sentAt = -Infinity;
  #retry = new Retry();
  /** The results that are stored, or that were there when the content began: {@link resultsIn}. */
  #storedResults = new Map();
  /** Called when everything is stored or reporting has stopped. */
  #waiting = [];

  /**
   * @param {{ activityId: string, sitting: number }} opening
   * @param {number} intervalMs the least time between reports of changes and commits
   * @param {() => { runtime: object, seconds: number, ended: boolean }} read returns the state to report
   * @param {{ saved: (answer: { standings: object, available: object | null, exitAction: string | null }, isAll: boolean) => void, delayed: () => void, rejected: (status: number | null) => void }} callbacks
   */
  constructor(opening, intervalMs, read, callbacks) {
    this.#opening = opening;
    this.#intervalMs = intervalMs;
    this.#read = read;
    this.#callbacks = callbacks;
  }

  /** Reports what the content sets from now on. */
  begin() {
    this.#storedResults = resultsIn(this.#read().runtime);
    this.schedule();
  }

  /** Whether the last report failed, and waits to be sent again. */
  isFailing() {
    return this.#retry.isScheduled;
  }

  /** The number of results that are not stored yet. */
  unsaved() {
    const isStored = ([name, text]) => this.#storedResults.get(name) === text;
    return [...resultsIn(this.#read().runtime)].filter((result) => !isStored(result)).length;
  }

  /** Sends a report after the interval, with all changes until then; at once if hidden. */
  schedule() {
    this.#sendIn(this.#intervalMs);
  }

  /** Sends a report as soon as the interval after the last one is over; at once if hidden. */
  commit() {
    this.#sendIn(this.#sentAt + this.#intervalMs - performance.now());
  }

  #sendIn(delayMs) {
    this.#isDue = true;
    if (this.#isLeaving() || delayMs <= 0) this.#queue();
    else this.#batchTimer ??= setTimeout(() => this.#send(), delayMs);
  }

  /** Sends a report at once. Resolves when all changes are stored or reporting has stopped. */
  sendNow() {
    this.#isDue = true;
    this.#queue();
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Sends a report while the window closes, as are all later ones. */
  sendLast() {
    this.#isClosing = true;
    this.#isDue = true;
    this.#queue();
  }

  /** Sends all changes before the page may close. Returns whether closing it now would lose some. */
  prepareToLeave() {
    if (this.#isDue) this.#send();
    const wouldLose = this.#retry.isScheduled || this.#pendingWithPage > 0;
    return !this.#isStopped && (wouldLose || this.#largeWaits);
  }

  /** Stops reporting for this opening. */
  stop() {
    this.#isStopped = true;
    clearTimeout(this.#batchTimer);
    this.#retry.reset();
    this.#settle();
  }

  /** Hidden pages may be closed or killed without further notice. */
  #isLeaving() {
    return this.#isClosing || document.visibilityState === 'hidden';
  }

  /** Changes of the same task go into one report. */
  #queue() {
    if (this.#isQueued) return;
    this.#isQueued = true;
    queueMicrotask(() => {
      this.#isQueued = false;
      this.#send();
    });
  }

  #send() {
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    if (this.#isStopped || !this.#isDue) return;
    this.#isDue = false;
    this.#largeWaits = false;
    this.#sentAt = performance.now();
    const state = this.#read();
    const changed = Object.entries(state.runtime)
      .map(([name, value]) => ({ name, text: JSON.stringify(value) }))
      .filter((branch) => this.#mustSend(branch, state.ended));
    const sizeOf = (branches) => branches.reduce((sum, { text }) => sum + byteLength(text), 0);
    if (sizeOf(changed) <= Math.max(maxSmallBytes, keepaliveRoom() - reservedBytes)) {
      void this.#post(state, changed);
      return;
    }
    const small = [];
    for (const branch of changed.toSorted((a, b) => a.text.length - b.text.length)) {
      if (sizeOf([...small, branch]) <= maxSmallBytes) small.push(branch);
    }
    void this.#post(state, small);
    // Uploads of large branches do not pile up behind each other on a slow connection.
    if (this.#pendingWithPage > 0 && !this.#isLeaving()) this.#largeWaits = true;
    // With the small branches again, so that whichever report arrives first is consistent.
    else void this.#post(state, changed);
  }

  /**
   * Whether a branch has changed. After the end of the session, and while the window closes, small branches without a
   * response go out again: the report that says so may overtake the ones before, and the provider decides by what it
   * has then.
   */
  #mustSend({ name, text }, hasEnded) {
    const sent = this.#sent.get(name);
    if (sent?.text !== text) return true;
    const isLast = hasEnded || this.#isClosing;
    return isLast && !sent.isStored && text.length <= maxSmallBytes;
  }

  async #post({ seconds, ended }, branches) {
    const sequence = (this.#sequence += 1);
    for (const { name, text } of branches) {
      this.#sent.set(name, { text, sequence, isStored: false });
    }
    const runtime = Object.fromEntries(branches.map(({ name, text }) => [name, JSON.parse(text)]));
    const closing = this.#isClosing;
    const body = JSON.stringify({
      ...this.#opening,
      sequence,
      seconds,
      runtime,
      ended,
      closing,
    });
    const { response, outlivesPage } = post('reports', body, { keepalive: true });
    this.#pending += 1;
    if (!outlivesPage) this.#pendingWithPage += 1;
    const answer = await response.catch(() => null);
    const unread = { standings: {}, available: null, exitAction: null };
    const stored = answer?.ok ? await answer.json().catch(() => unread) : null;
    this.#pending -= 1;
    if (!outlivesPage) this.#pendingWithPage -= 1;
    if (stored) this.#stored(stored, sequence, runtime);
    else this.#failed(sequence, branches, answer?.status ?? null);
  }

  #stored(answer, sequence, runtime) {
    for (const [name, branch] of this.#sent) {
      if (branch.sequence !== sequence) continue;
      branch.isStored = true;
      const results = resultsIn({ [name]: runtime[name] });
      for (const [result, text] of results) this.#storedResults.set(result, text);
    }
    const mustRetry = this.#retry.isScheduled;
    this.#retry.reset();
    if (mustRetry || this.#largeWaits) {
      this.#isDue = true;
      this.#queue();
    }
    const isAll = !this.#isDue && !this.#largeWaits && this.#pending === 0;
    this.#callbacks.saved(answer, isAll);
    if (isAll) this.#settle();
  }

  /** Whether the branches were stored is unknown, so that a later report contains them again. */
  #failed(sequence, branches, status) {
    for (const { name } of branches) {
      if (this.#sent.get(name)?.sequence === sequence) this.#sent.delete(name);
    }
    if (this.#isStopped) return;
    if (status !== null && status < 500) {
      this.#reject(status);
      return;
    }
    this.#isDue = true;
    this.#callbacks.delayed();
    if (!this.#retry.isScheduled && !this.#retry.schedule(() => this.#send())) this.#reject(null);
  }

  #reject(status) {
    this.stop();
    this.#callbacks.rejected(status);
  }

  #settle() {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
