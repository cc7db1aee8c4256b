import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallInput, CallName, CallReply } from '../../../src/calls/calls.ts';
import { FailureText } from '../components/FailureText.tsx';
import { call } from './call.ts';
import { reportSignedOut } from './query-client.ts';

interface Options<Name extends CallName> {
  /** What a notification says when the change is made. */
  readonly done?: (reply: CallReply<Name>) => string;
  /** Leaves the page of what is deleted, which would be asked for once more. */
  readonly leave?: () => Promise<void>;
  /** The input or the reply has a secret, which is forgotten with `reset` and at the end of the component. */
  readonly isSecret?: boolean;
}

/**
 * Makes a call that changes something. Afterwards, the replies of calls of the same feature are asked for again: of all
 * whose names have the same first part. A failure is shown as a notification that stays until it is closed.
 */
export function useChange<Name extends CallName>(name: Name, options: Options<Name> = {}) {
  const { done, leave, isSecret } = options;
  const client = useQueryClient();
  const { t } = useTranslation();
  const feature = `${name.split('.', 1)[0]}.`;
  return useMutation({
    mutationFn: (input: CallInput<Name>) => call(name, input),
    ...(isSecret && { gcTime: 0 }),
    onSuccess: async (reply) => {
      if (done) notifications.show({ color: 'teal', message: done(reply) });
      await leave?.();
    },
    onError: (error) => {
      reportSignedOut(error);
      notifications.show({
        color: 'red',
        title: t('failure.change'),
        message: <FailureText error={error} />,
        autoClose: false,
      });
    },
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [called] }) => String(called).startsWith(feature),
      }),
  });
}
