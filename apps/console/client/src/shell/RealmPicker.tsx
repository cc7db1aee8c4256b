import { Skeleton, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useSession } from '../api/session.ts';
import { useRealm } from './use-realm.ts';

const RealmSelect = lazy(() =>
  import('./RealmSelect.tsx').then(({ RealmSelect: component }) => ({ default: component })),
);

/** Chooses the realm whose pages are shown; for a user with one realm, its name. */
export function RealmPicker() {
  const { realms, hasMoreRealms } = useSession();
  const realm = useRealm();
  if (realm === undefined) return null;
  if (realms.length === 1 && !hasMoreRealms) {
    return (
      <Text size="sm" c="dimmed" truncate maw={{ base: 110, sm: 260 }}>
        {realms[0]?.name}
      </Text>
    );
  }
  return (
    <Suspense fallback={<Skeleton h={30} w={{ base: 118, xs: 180, sm: 240 }} />}>
      <RealmSelect realm={realm} />
    </Suspense>
  );
}
