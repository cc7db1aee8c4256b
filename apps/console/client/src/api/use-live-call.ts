import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CallInput, CallName } from '../../../src/calls/calls.ts';
import { reportSignedOut } from './query-client.ts';
import type { CallError } from './call.ts';
import { liveStream } from './live-stream.ts';
import { callQuery } from './use-call.ts';

/** How often a call is made while its stream is broken: milliseconds. */
const pollMs = 10_000;

/** How up to date a reply is. */
export interface Liveness {
  /** Whether a stream keeps it up to date; otherwise it is polled. */
  readonly isLive: boolean;
  /** When it was last known to be true: milliseconds of the epoch; 0 before the first reply. */
  readonly trueAt: number;
}

/** Makes a call for a component, and keeps its reply up to date. The call must have an interval (`live`). */
export function useLiveCall<Name extends CallName>(name: Name, input: CallInput<Name>) {
  const client = useQueryClient();
  const key = JSON.stringify(input);
  const [state, setState] = useState({ isLive: false, knownAt: 0 });
  const [failure, setFailure] = useState<CallError | null>(null);
  const query = useQuery({
    ...callQuery(name, input),
    placeholderData: keepPreviousData,
    refetchInterval: state.isLive ? false : pollMs,
  });
  useEffect(() => {
    const { queryKey } = callQuery(name, JSON.parse(key) as CallInput<Name>);
    const isTrue = () => setState({ isLive: true, knownAt: Date.now() });
    return liveStream.watch(name, JSON.parse(key), {
      reply: (reply) => {
        client.setQueryData<unknown>(queryKey, reply);
        setFailure(null);
        isTrue();
      },
      failure: (error) => {
        setFailure(error);
        setState((before) => ({ ...before, isLive: false }));
        reportSignedOut(error);
      },
      unchanged: isTrue,
      broken: () => setState((before) => ({ ...before, isLive: false })),
    });
  }, [client, name, key]);
  const liveness: Liveness = {
    isLive: state.isLive,
    trueAt: Math.max(state.knownAt, query.dataUpdatedAt),
  };
  return { ...query, error: query.error ?? failure, liveness };
}
