import { once } from 'node:events';
import { startProgram } from '../system/start-program.ts';
import type { CallReport } from './call-counts.ts';
import type { Behavior } from './faults.ts';

export type Command =
  | {
      readonly kind: 'behave';
      readonly behavior: Partial<Behavior>;
      /** The application that it concerns; an empty text for all without a behavior of their own. */
      readonly appId: string;
    }
  | { readonly kind: 'change'; readonly step: number }
  | ({ readonly kind: 'post' } & Postback)
  | { readonly kind: 'report' };

/** A registration that changes, and the receiver of its postback. */
export interface Postback {
  readonly application: number;
  readonly number: number;
  readonly url: string;
  readonly userName: string;
  readonly password: string;
}

/** A running simulated provider. */
export interface ScaleProvider {
  readonly url: string;
  readonly pid: number;
  /** Changes how it treats its callers from now on: one application, or all that have no behavior of their own. */
  behave(behavior: Partial<Behavior>, appId?: string): Promise<void>;
  /** Changes every `step`th registration of every application. Returns the numbers by application. */
  change(step: number): Promise<number[]>;
  /** Changes a registration, and posts it to a receiver. Returns the status of the response. */
  post(postback: Postback): Promise<number>;
  /** Returns the calls since the last report. */
  report(): Promise<CallReport>;
}

/**
 * Starts a provider with a generated population in a process of its own.
 *
 * @param sizes the numbers of registrations of its applications, `scale-1` and so on
 */
export async function startScaleProvider(
  resources: AsyncDisposableStack,
  sizes: readonly number[],
): Promise<ScaleProvider> {
  const { child, pid, ready } = await startProgram(resources, 'simulated-provider/main', {
    PROVIDER_SIZES: JSON.stringify(sizes),
  });
  let lastId = 0;
  const perform = async (command: Command): Promise<unknown> => {
    lastId += 1;
    const id = lastId;
    child.send({ id, command });
    for (;;) {
      const [reply] = (await once(child, 'message')) as [{ id: number; result: unknown }];
      if (reply.id === id) return reply.result;
    }
  };
  return {
    url: String(ready),
    pid,
    behave: async (behavior, appId = '') =>
      void (await perform({ kind: 'behave', behavior, appId })),
    change: (step) => perform({ kind: 'change', step }) as Promise<number[]>,
    post: (postback) => perform({ kind: 'post', ...postback }) as Promise<number>,
    report: () => perform({ kind: 'report' }) as Promise<CallReport>,
  };
}
