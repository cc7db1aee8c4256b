import { Code, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CallError } from '../api/call.ts';

/** Failures with texts of their own in the catalogues. */
const codes = [
  'expired',
  'internal',
  'invalid',
  'not-found',
  'over-limit',
  'overloaded',
  'refused-by-provider',
  'signed-out',
  'unauthenticated',
  'unavailable',
  'unchanged',
  'unreachable',
] as const;

const codeOf = (error: unknown): (typeof codes)[number] =>
  (error instanceof CallError && codes.find((code) => code === error.code)) || 'internal';

/** What happened, what the reader can do, and the id under which the server's log has it. */
export function FailureText({ error }: { readonly error: unknown }) {
  const { t } = useTranslation();
  const code = codeOf(error);
  const { message, requestId = null } = error as Partial<CallError>;
  return (
    <Stack gap={4}>
      <Text size="sm">{t(`failure.codes.${code}.what`)}</Text>
      {message && code !== 'internal' && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
      )}
      <Text size="sm">{t(`failure.codes.${code}.remedy`)}</Text>
      {requestId && (
        <Text size="xs" c="dimmed">
          {t('failure.request')} <Code>{requestId}</Code>
        </Text>
      )}
    </Stack>
  );
}
