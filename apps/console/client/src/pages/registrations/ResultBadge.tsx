import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { completions, successes } from './registrations-route.ts';

interface Props {
  readonly value: string;
}

const colors = {
  unknown: 'gray',
  incomplete: 'blue',
  complete: 'teal',
  failed: 'red',
  succeeded: 'teal',
} as const;

/** Whether a registration is complete. */
export function CompletionBadge({ value }: Props) {
  const { t } = useTranslation();
  const known = completions.find((each) => each === value) ?? 'unknown';
  return (
    <Badge variant="dot" color={colors[known]} tt="none" fw={500}>
      {t(`registrations.completion.${known}`)}
    </Badge>
  );
}

/** Whether a registration has succeeded. */
export function SuccessBadge({ value }: Props) {
  const { t } = useTranslation();
  const known = successes.find((each) => each === value) ?? 'unknown';
  return (
    <Badge variant="dot" color={colors[known]} tt="none" fw={500}>
      {t(`registrations.success.${known}`)}
    </Badge>
  );
}
