import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session.ts';
import { useCall } from '../api/use-call.ts';
import { useRealm } from './use-realm.ts';

/** Chooses the realm whose pages are shown; for a user with one realm, its name. */
export function RealmPicker() {
  const { t } = useTranslation();
  const { realms, hasMoreRealms } = useSession();
  const realm = useRealm();
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { realm: ofPage } = useParams({ strict: false });
  const [text, setText] = useState('');
  const [searched] = useDebouncedValue(text, 250);
  const { data: found } = useCall(
    'session.find-realms',
    { text: searched, limit: 50 },
    { enabled: hasMoreRealms && searched !== '' },
  );
  if (realm === undefined) return null;
  if (realms.length === 1 && !hasMoreRealms) {
    return (
      <Text size="sm" c="dimmed" truncate maw={{ base: 110, sm: 260 }}>
        {realms[0]?.name}
      </Text>
    );
  }
  const shown = new Map([...realms, ...(found?.items ?? [])].map(({ guid, name }) => [guid, name]));
  if (!shown.has(realm)) shown.set(realm, realm);
  const choose = (chosen: string | null) => {
    if (chosen === null) return;
    // The same page of the other realm, without the place in it.
    const to = ofPage === undefined ? `/realms/${chosen}` : path.replace(ofPage, chosen);
    void navigate({ to });
  };
  return (
    <Select
      aria-label={t('shell.realm')}
      size="xs"
      w={{ base: 118, xs: 180, sm: 240 }}
      searchable
      allowDeselect={false}
      limit={50}
      data={[...shown].map(([value, label]) => ({ value, label }))}
      value={realm}
      onChange={choose}
      onSearchChange={setText}
      nothingFoundMessage={t('shell.nothingFound')}
    />
  );
}
