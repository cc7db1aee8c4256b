import { Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCount } from './use-count.ts';

interface Props {
  /** What the seats are of, for screen readers. */
  readonly label: string;
  readonly seats: { readonly free: number; readonly taken: number };
}

/** The seats of a license as a bar: how many are taken of how many. */
export function SeatBar({ label, seats: { free, taken } }: Props) {
  const { t } = useTranslation();
  const count = useCount();
  const total = free + taken;
  const percent = total === 0 ? 0 : (100 * taken) / total;
  const text = t('invitations.seatsTaken', { taken: count(taken), total: count(total) });
  return (
    <Stack gap={2} miw={110} maw={260}>
      <Progress.Root size="md">
        <Progress.Section
          value={percent}
          color={free === 0 ? 'orange' : 'teal'}
          aria-label={label}
          aria-valuetext={text}
        />
      </Progress.Root>
      <Text size="xs">{text}</Text>
    </Stack>
  );
}
