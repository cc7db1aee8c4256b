import { addressOf, CallError } from './call.ts';
import type { CallFailure } from '../../../src/calls/define-call.ts';

/** What a watch of a call is told. */
export interface LiveListener {
  reply(reply: unknown): void;
  failure(error: CallError): void;
  /** Everything that was told so far is still true. */
  unchanged(): void;
  /** The stream has broken: nothing is told until it stands again. */
  broken(): void;
}

interface Watch {
  readonly name: string;
  readonly input: string;
  readonly listeners: Set<LiveListener>;
}

/** Pauses before a stream that the server refused is opened again: milliseconds. */
const pauses = [2_000, 5_000, 15_000, 30_000];

/** The most watches of a stream; the server refuses more. Further watches are polled. */
const maxWatches = 8;

/**
 * One stream of server-sent events for all that the page watches, while the page is shown: a browser opens six connections
 * to an origin over HTTP/1.1, and hidden pages with a stream each would leave none.
 */
class LiveStream {
  readonly #watches = new Map<string, Watch>();
  #source: EventSource | null = null;
  #timer: number | undefined;
  #failures = 0;

  constructor() {
    document.addEventListener('visibilitychange', () => this.#openIn(0));
  }

  /**
   * Watches a call.
   *
   * @returns a function that ends the watch
   */
  watch(name: string, input: unknown, listener: LiveListener): () => void {
    const text = JSON.stringify(input);
    const key = `${name} ${text}`;
    const watch = this.#watches.get(key) ?? { name, input: text, listeners: new Set() };
    if (watch.listeners.size === 0) {
      if (this.#watches.size >= maxWatches) return () => undefined;
      this.#watches.set(key, watch);
      this.#openIn(0);
    }
    watch.listeners.add(listener);
    return () => {
      watch.listeners.delete(listener);
      if (watch.listeners.size > 0) return;
      this.#watches.delete(key);
      this.#openIn(0);
    };
  }

  /** Opens a stream of the present watches later, so that those of a whole page are together in it. */
  #openIn(milliseconds: number): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#open(), milliseconds);
  }

  #open(): void {
    this.#source?.close();
    this.#source = null;
    const watches = [...this.#watches.values()];
    const tellAll = (tell: (listener: LiveListener) => void) => {
      for (const { listeners } of watches) for (const listener of listeners) tell(listener);
    };
    if (document.hidden) tellAll((listener) => listener.broken());
    if (watches.length === 0 || document.hidden) return;
    const query = new URLSearchParams();
    for (const { name, input } of watches) {
      query.append('watch', name);
      query.append('input', input);
    }
    const source = new EventSource(addressOf(`api/live?${query.toString()}`));
    this.#source = source;
    source.addEventListener('open', () => (this.#failures = 0));
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const news = JSON.parse(data) as { watch: number; reply?: unknown; failure?: CallFailure };
      for (const listener of watches[news.watch]?.listeners ?? []) {
        if (news.failure) listener.failure(new CallError(news.failure));
        else listener.reply(news.reply);
      }
    });
    source.addEventListener('heartbeat', () => tellAll((listener) => listener.unchanged()));
    source.addEventListener('signed-out', () => {
      source.close();
      const message = 'the session has ended';
      const error = new CallError({ code: 'signed-out', message, requestId: '' });
      tellAll((listener) => listener.failure(error));
    });
    source.addEventListener('error', () => {
      tellAll((listener) => listener.broken());
      // The browser itself opens a stream again whose connection has broken, but not one that was refused.
      if (source.readyState !== EventSource.CLOSED) return;
      this.#openIn(pauses[Math.min(this.#failures, pauses.length - 1)] ?? 0);
      this.#failures += 1;
    });
  }
}

export const liveStream = new LiveStream();
