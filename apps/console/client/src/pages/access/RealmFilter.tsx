import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';

interface Props {
  /** GUID of the realm; undefined for all. */
  readonly value: string | undefined;
  readonly onChange: (realm: string | undefined) => void;
}

/** Chooses one realm of the installation, or all. */
export function RealmFilter({ value, onChange }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [searched] = useDebouncedValue(text, 250);
  const { data } = useCall('session.find-realms', { text: searched, limit: 50 });
  const found = new Map(data?.items.map(({ guid, name }) => [guid, name]));
  if (value !== undefined && !found.has(value)) found.set(value, value);
  return (
    <Select
      size="xs"
      w={210}
      label={t('audit.realm')}
      placeholder={t('audit.allRealms')}
      clearable
      searchable
      data={[...found].map(([guid, label]) => ({ value: guid, label }))}
      value={value ?? null}
      onChange={(realm) => onChange(realm ?? undefined)}
      onSearchChange={setText}
      nothingFoundMessage={t('shell.nothingFound')}
    />
  );
}
