import { QueryCache, QueryClient } from '@tanstack/react-query';
import { CallError } from './call.ts';

/** Codes of failures after which the same call may succeed. */
const transient = new Set(['unreachable', 'unavailable', 'overloaded', 'over-limit', 'expired']);

/** Whether the same call may succeed later. */
const isTransient = (error: unknown): boolean =>
  error instanceof CallError && transient.has(error.code);

const signedOutListeners = new Set<() => void>();

/** Calls `listener` when the server says that the session has ended. */
export const onSignedOut = (listener: () => void) => signedOutListeners.add(listener);

/** Tells the listeners of {@link onSignedOut} of an error that says that the session has ended. */
export function reportSignedOut(error: unknown): void {
  if (!(error instanceof CallError) || error.code !== 'signed-out') return;
  for (const listener of signedOutListeners) listener();
}

/** The replies that the client keeps. Changes are never repeated. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: reportSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && isTransient(error),
      retryDelay: (failures, error) =>
        error instanceof CallError && error.retryAfterSeconds !== undefined
          ? error.retryAfterSeconds * 1_000
          : 1_000 * 2 ** failures,
    },
    mutations: { retry: false },
  },
});
