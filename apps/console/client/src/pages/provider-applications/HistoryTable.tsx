import { Badge, Text } from '@mantine/core';
import { HistoryIcon } from '@primer/octicons-react/HistoryIcon';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useLiveCall } from '../../api/use-live-call.ts';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { formatDuration } from '../../components/format-duration.ts';
import { Time } from '../../components/Time.tsx';
import { crawlKind } from './CrawlProgressBar.tsx';
import { applicationRoute } from './provider-applications-routes.ts';

type Finished = CallReply<'provider-applications.history'>['items'][number];

/** The finished crawls of the last week, the newest first. */
export function HistoryTable() {
  const { t } = useTranslation();
  const named = applicationRoute.useParams();
  const { cursor } = applicationRoute.useSearch();
  const navigate = applicationRoute.useNavigate();
  const query = useLiveCall('provider-applications.history', {
    ...named,
    cursor: cursor ?? null,
    limit: 20,
  });
  return (
    <DataTable
      label={t('providerApplications.history')}
      columns={useColumns()}
      query={query}
      rowKey={(finished) => Object.values(finished).join(' ')}
      place={{ cursor }}
      onMove={(place) => void navigate({ search: { cursor: place.cursor } })}
      empty={{
        title: t('providerApplications.noHistory'),
        icon: <HistoryIcon size={24} aria-hidden />,
      }}
    />
  );
}

function useColumns() {
  const { t, i18n } = useTranslation();
  return useMemo(() => {
    const column = dataColumns<Finished>();
    return column.columns([
      column.accessor('finished_at', {
        header: t('providerApplications.finishedAt'),
        cell: ({ row: { original } }) => <Time at={original.finished_at} />,
      }),
      column.accessor('kind', {
        header: t('providerApplications.kind'),
        cell: ({ row: { original } }) => crawlKind(t, original.kind),
      }),
      column.accessor('outcome', {
        header: t('providerApplications.outcome'),
        cell: ({
          row: {
            original: { outcome },
          },
        }) => (
          <Badge variant="dot" color={outcome === 'done' ? 'teal' : 'red'} tt="none" fw={500}>
            {t(`providerApplications.outcomes.${outcome}`)}
          </Badge>
        ),
      }),
      column.accessor('items', {
        header: t('providerApplications.items'),
        meta: { align: 'right', visibleFrom: 'sm' },
        cell: ({ row: { original } }) => original.items.toLocaleString(i18n.language),
      }),
      column.accessor('seconds', {
        header: t('providerApplications.duration'),
        meta: { align: 'right', visibleFrom: 'sm' },
        cell: ({ row: { original } }) => formatDuration(original.seconds, i18n.language),
      }),
      column.accessor('error', {
        header: t('providerApplications.error'),
        meta: { visibleFrom: 'md' },
        cell: ({ row: { original } }) => (
          <Text size="sm" lineClamp={2} maw={480}>
            {original.error}
          </Text>
        ),
      }),
    ]);
  }, [t, i18n.language]);
}
