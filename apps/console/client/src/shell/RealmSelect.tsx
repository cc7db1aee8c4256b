import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session.ts';
import { useCall } from '../api/use-call.ts';

interface Props {
  /** GUID of the realm that is chosen. */
  readonly realm: string;
}

/** Chooses the realm whose pages are shown. */
export function RealmSelect({ realm }: Props) {
  const { t } = useTranslation();
  const { realms, hasMoreRealms } = useSession();
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
