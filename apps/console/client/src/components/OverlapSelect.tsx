import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDuration } from './format-duration.ts';

const choices = [0, 3_600, 86_400, 7 * 86_400, 30 * 86_400];

interface Props {
  /** Seconds. */
  readonly value: number;
  readonly onChange: (seconds: number) => void;
  readonly description: string;
}

/** How long a replaced secret is still accepted. */
export function OverlapSelect({ value, onChange, description }: Props) {
  const { t, i18n } = useTranslation();
  return (
    <Select
      label={t('secret.overlap')}
      description={description}
      allowDeselect={false}
      comboboxProps={{ zIndex: 400 }}
      data={choices.map((seconds) => ({
        value: String(seconds),
        label: seconds === 0 ? t('secret.noOverlap') : formatDuration(seconds, i18n.language),
      }))}
      value={String(value)}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  );
}
