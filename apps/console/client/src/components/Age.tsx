import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDuration } from './format-duration.ts';
import { formatterByLanguage } from './formatter-by-language.ts';
import { useEverySecond } from './use-every-second.ts';

interface Props {
  /** An ISO 8601 time, or milliseconds of the epoch. */
  readonly since: string | number;
}

const timeFormat = formatterByLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long' }),
);

/** How long ago something was, up to the second; the time itself for the pointer. */
export function Age({ since }: Props) {
  const { t, i18n } = useTranslation();
  const date = new Date(since);
  const age = useEverySecond(() =>
    formatDuration((Date.now() - date.getTime()) / 1_000, i18n.language),
  );
  return (
    <Text span inherit style={{ whiteSpace: 'nowrap' }}>
      <time dateTime={date.toISOString()} title={timeFormat(i18n.language).format(date)}>
        {t('time.ago', { age })}
      </time>
    </Text>
  );
}
