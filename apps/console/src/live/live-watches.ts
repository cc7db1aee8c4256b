import { Failure } from '@registrar/contracts';
import { clock } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { CallFailure, CallUser } from '../calls/define-call.ts';
import { type CheckedCall, MakeCall } from '../calls/make-call.ts';
import { callFailure } from '../http/console-exception.filter.ts';

/** What a watch sends: the reply of its call, or why it has none. */
export type WatchNews = { readonly reply: unknown } | { readonly failure: CallFailure };

/** A call that is made again and again. */
interface Watch {
  readonly checked: CheckedCall;
  readonly user: CallUser;
  readonly seconds: number;
  readonly listeners: Set<(news: string) => void>;
  /** The last news as JSON; null before the first. */
  last: string | null;
  /** The last news without the id of its request, to recognize what has not changed. */
  compared: string | null;
  cancel: () => void;
}

/** Watches calls for streams: equal calls of users with equal reach are made once for all of them. */
@Injectable()
export class LiveWatches {
  readonly #watches = new Map<string, Watch>();

  constructor(private readonly makeCall: MakeCall) {}

  /**
   * Calls `listener` with the news of a call as JSON, at once and whenever they change.
   *
   * @param checked a call with an interval
   * @returns a function that ends the watch
   */
  watch(checked: CheckedCall, user: CallUser, listener: (news: string) => void): () => void {
    const { live = 0 } = checked.call;
    const key = keyOf(checked, user);
    let watch = this.#watches.get(key);
    if (watch?.last != null) listener(watch.last);
    if (!watch) {
      const begun: Watch = {
        checked,
        user,
        seconds: live,
        listeners: new Set(),
        last: null,
        compared: null,
        cancel: () => undefined,
      };
      watch = begun;
      this.#watches.set(key, watch);
      void this.#round(watch);
    }
    const { listeners } = watch;
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#watches.get(key)?.listeners !== listeners) return;
      this.#watches.get(key)?.cancel();
      this.#watches.delete(key);
    };
  }

  async #round(watch: Watch): Promise<void> {
    const requestId = randomUUID();
    let news: WatchNews;
    try {
      const origin = { requestId, clientAddress: undefined };
      news = { reply: await this.makeCall.make(watch.checked, watch.user, origin) };
    } catch (error) {
      news = { failure: callFailure(Failure.from(error), requestId) };
    }
    if (watch.listeners.size === 0) return;
    const text = JSON.stringify(news);
    const compared = text.replaceAll(requestId, '');
    if (compared !== watch.compared) {
      watch.last = text;
      watch.compared = compared;
      for (const listener of watch.listeners) listener(text);
    }
    watch.cancel = clock.schedule(watch.seconds * 1_000, () => void this.#round(watch));
  }
}

/** Equal for calls with equal replies: of operators, of a role in a realm, or of a user. */
function keyOf({ name, input, role, call }: CheckedCall, { name: user, roles }: CallUser): string {
  const reach = call.access.kind === 'session' ? [user, roles] : [role];
  return JSON.stringify([name, input, reach]);
}
