import { Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  /** An ISO 8601 time, or milliseconds of the epoch. */
  readonly at: string | number;
}

/** A time in the reader's zone; in UTC for the pointer, and for screen readers both. */
export function Time({ at }: Props) {
  const { i18n } = useTranslation();
  const date = new Date(at);
  const utc = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const format = new Intl.DateTimeFormat(i18n.language, {
    dateStyle: 'medium',
    timeStyle: 'medium',
  });
  return (
    <Tooltip label={utc}>
      <Text span inherit style={{ whiteSpace: 'nowrap' }}>
        <time dateTime={date.toISOString()}>{format.format(date)}</time>
        <span className="visually-hidden">, {utc}</span>
      </Text>
    </Tooltip>
  );
}
