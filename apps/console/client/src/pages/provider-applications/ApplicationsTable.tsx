import { Progress, Text } from '@mantine/core';
import { PlugIcon } from '@primer/octicons-react/PlugIcon';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useSession } from '../../api/session.ts';
import { Age } from '../../components/Age.tsx';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { formatDuration } from '../../components/format-duration.ts';
import { CrawlState } from './CrawlState.tsx';
import { doneOf } from './estimate-end.ts';

type Application = CallReply<'provider-applications.list'>['items'][number];

type Props = Pick<ComponentProps<typeof DataTable<Application>>, 'query' | 'place' | 'onMove'> & {
  /** Whether the list is of all realms, which it names then. */
  readonly isOfAllRealms: boolean;
};

/** Provider applications with how far their crawls are. */
export function ApplicationsTable({ isOfAllRealms, ...list }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <DataTable
      {...list}
      label={t('providerApplications.title')}
      columns={useColumns(isOfAllRealms)}
      rowKey={({ id }) => String(id)}
      onOpen={({ id, realm_guid: realm }) =>
        void navigate({
          to: '/realms/$realm/provider-applications/$application',
          params: { realm, application: id },
        })
      }
      empty={{
        title: t('providerApplications.empty'),
        description: t('providerApplications.emptyDescription'),
        icon: <PlugIcon size={24} aria-hidden />,
      }}
    />
  );
}

function useColumns(isOfAllRealms: boolean) {
  const { t, i18n } = useTranslation();
  const { realms } = useSession();
  return useMemo(() => {
    const column = dataColumns<Application>();
    const names = new Map(realms.map(({ guid, name }) => [guid, name]));
    const ofRealm = column.accessor('realm_guid', {
      header: t('providerApplications.realm'),
      meta: { visibleFrom: 'md' },
      cell: ({ row: { original } }) => names.get(original.realm_guid) ?? original.realm_guid,
    });
    return column.columns([
      column.accessor('name', { header: t('providerApplications.name') }),
      ...(isOfAllRealms ? [ofRealm] : []),
      column.accessor('id', {
        header: t('providerApplications.state'),
        cell: ({ row: { original } }) => <CrawlState state={original.crawls?.state} />,
      }),
      column.display({
        id: 'progress',
        header: t('providerApplications.progress'),
        meta: { visibleFrom: 'sm' },
        cell: ({ row: { original } }) => {
          const done = original.crawls && doneOf(original.crawls);
          return done === null ? null : (
            <Progress value={done * 100} w={96} aria-label={t('providerApplications.progress')} />
          );
        },
      }),
      column.display({
        id: 'late',
        header: t('providerApplications.late'),
        meta: { align: 'right', visibleFrom: 'sm' },
        cell: ({ row: { original } }) =>
          original.crawls && formatDuration(original.crawls.late_seconds, i18n.language),
      }),
      column.display({
        id: 'changes',
        header: t('providerApplications.changesAt'),
        cell: ({ row: { original } }) =>
          original.crawls?.changes_at ? <Age since={original.crawls.changes_at} /> : null,
      }),
      column.display({
        id: 'error',
        header: t('providerApplications.error'),
        meta: { visibleFrom: 'lg' },
        cell: ({ row: { original } }) => (
          <Text size="sm" lineClamp={1} maw={420}>
            {original.crawls?.error}
          </Text>
        ),
      }),
    ]);
  }, [t, i18n.language, isOfAllRealms, realms]);
}
