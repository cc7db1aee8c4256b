import { Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDuration } from './format-duration.ts';
import { useNow } from './use-now.ts';

interface Props {
  /** An ISO 8601 time, or milliseconds of the epoch. */
  readonly since: string | number;
}

/** How long ago something was, up to the second; the time itself for the pointer and for screen readers. */
export function Age({ since }: Props) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const date = new Date(since);
  const time = new Intl.DateTimeFormat(i18n.language, {
    dateStyle: 'medium',
    timeStyle: 'long',
  }).format(date);
  const age = formatDuration((now - date.getTime()) / 1_000, i18n.language);
  return (
    <Tooltip label={time}>
      <Text span inherit style={{ whiteSpace: 'nowrap' }}>
        <time dateTime={date.toISOString()}>{t('time.ago', { age })}</time>
      </Text>
    </Tooltip>
  );
}
