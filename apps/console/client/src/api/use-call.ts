import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { CallInput, CallName } from '../../../src/calls/calls.ts';
import { call } from './call.ts';

/** The query of a call, for `useQuery`, prefetching and the cache. */
export const callQuery = <Name extends CallName>(name: Name, input: CallInput<Name>) =>
  queryOptions({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, signal),
  });

interface Options {
  /** Whether the call is made at all; by default it is. */
  readonly enabled?: boolean;
}

/** Makes a call for a component. While the input changes, the component keeps the reply to the previous input. */
export const useCall = <Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  options: Options = {},
) => useQuery({ ...callQuery(name, input), placeholderData: keepPreviousData, ...options });
