import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatterByLanguage } from './formatter-by-language.ts';

interface Props {
  /** An ISO 8601 time, or milliseconds of the epoch. */
  readonly at: string | number;
}

const timeFormat = formatterByLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }),
);

/** A time in the reader's zone; in UTC for the pointer, and for screen readers both. */
export function Time({ at }: Props) {
  const { i18n } = useTranslation();
  const date = new Date(at);
  const utc = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (
    <Text span inherit style={{ whiteSpace: 'nowrap' }}>
      <time dateTime={date.toISOString()} title={utc}>
        {timeFormat(i18n.language).format(date)}
      </time>
      <span className="visually-hidden">, {utc}</span>
    </Text>
  );
}
