import { Code, Text } from '@mantine/core';
import { LogIcon } from '@primer/octicons-react/LogIcon';
import { type ComponentProps, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useSession } from '../../api/session.ts';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { Time } from '../../components/Time.tsx';
import { actorKinds } from './audit-search.ts';

type Entry = CallReply<'audit.list'>['items'][number];

type Props = Pick<ComponentProps<typeof DataTable<Entry>>, 'query' | 'place' | 'onMove'> & {
  /** Whether the list is of all realms, which it names then. */
  readonly isOfAllRealms: boolean;
};

/** Who did what, the newest first. */
export function AuditTable({ isOfAllRealms, ...list }: Props) {
  const { t } = useTranslation();
  return (
    <DataTable
      {...list}
      label={t('audit.title')}
      columns={useColumns(isOfAllRealms)}
      rowKey={({ id }) => String(id)}
      empty={{
        title: t('audit.empty'),
        description: t('audit.emptyDescription'),
        icon: <LogIcon size={24} aria-hidden />,
      }}
    />
  );
}

function useColumns(isOfAllRealms: boolean) {
  const { t } = useTranslation();
  const { realms } = useSession();
  return useMemo(() => {
    const column = dataColumns<Entry>();
    const names = new Map(realms.map(({ guid, name }) => [guid, name]));
    const ofRealm = column.accessor('realm_guid', {
      header: t('audit.realm'),
      meta: { visibleFrom: 'lg' },
      cell: ({ row: { original } }) =>
        original.realm_guid && (names.get(original.realm_guid) ?? original.realm_guid),
    });
    return column.columns([
      column.accessor('occurred_at', {
        header: t('audit.time'),
        cell: ({ row: { original } }) => <Time at={original.occurred_at} />,
      }),
      column.accessor('action', {
        header: t('audit.action'),
        cell: ({ row: { original } }) => (
          <Code fz="inherit" bg="transparent" c="inherit" p={0}>
            {original.action}
          </Code>
        ),
      }),
      column.accessor('actor', {
        header: t('audit.actor'),
        cell: ({ row: { original } }) => {
          const known = actorKinds.find((kind) => kind === original.actor);
          const kind = known ? t(`audit.actors.${known}`) : original.actor;
          return [kind, original.actor_id, original.actor_name]
            .filter((part) => part !== null)
            .join(' ');
        },
      }),
      ...(isOfAllRealms ? [ofRealm] : []),
      column.accessor('subject', {
        header: t('audit.subject'),
        meta: { visibleFrom: 'sm' },
        cell: ({ row: { original } }) => (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }} maw={520}>
            {Object.entries(original.subject)
              .filter(([, value]) => value !== null)
              .map(([name, value]) => `${name}: ${value}`)
              .join(', ')}
          </Text>
        ),
      }),
      column.accessor('client_address', {
        header: t('audit.address'),
        meta: { visibleFrom: 'lg' },
      }),
      column.accessor('request_id', {
        header: t('audit.request'),
        meta: { visibleFrom: 'xl' },
        cell: ({ row: { original } }) => (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {original.request_id}
          </Text>
        ),
      }),
    ]);
  }, [t, isOfAllRealms, realms]);
}
