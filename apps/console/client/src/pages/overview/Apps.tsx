import { Badge, Text, Title } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { Age } from '../../components/Age.tsx';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { formatDuration } from '../../components/format-duration.ts';
import { useFormats } from './use-formats.ts';

/** A queue takes 2,000 messages, and rejects further requests. */
const [manyWaiting, tooManyWaiting] = [200, 1_000];

const queueColor = (count: number): string =>
  count >= tooManyWaiting ? 'red' : count >= manyWaiting ? 'orange' : 'teal';

type Reply = CallReply<'overview.apps'>;
type App = Reply['apps'][number];

interface Props {
  readonly query: {
    readonly data: Reply | undefined;
    readonly error: unknown;
    readonly isPlaceholderData: boolean;
    readonly refetch: () => unknown;
  };
}

/** The apps with their processes. */
export function Apps({ query }: Props) {
  const { t } = useTranslation();
  const columns = useColumns();
  const data = useMemo(() => query.data && { items: query.data.apps, next: null }, [query.data]);
  return (
    <section aria-labelledby="apps">
      <Title order={2} id="apps" mb="xs">
        {t('overview.apps')}
      </Title>
      <DataTable
        label={t('overview.apps')}
        columns={columns}
        query={{ ...query, data }}
        rowKey={({ app }) => app}
        place={{}}
        onMove={() => undefined}
        empty={{ title: t('overview.noApps') }}
      />
    </section>
  );
}

function useColumns() {
  const { t, i18n } = useTranslation();
  const { rate, milliseconds, megabytes, whole } = useFormats();
  return useMemo(() => {
    const column = dataColumns<App>();
    const shown = (value: number | null, format: (value: number) => ReactNode) =>
      value === null ? '–' : format(value);
    return column.columns([
      column.accessor('app', { header: t('overview.app') }),
      column.accessor('replicas', {
        header: t('overview.replicas'),
        cell: ({ row: { original } }) => (
          <Badge variant="dot" tt="none" color={original.replicas.length > 0 ? 'teal' : 'red'}>
            {original.replicas.length > 0
              ? t('overview.running', { count: original.replicas.length })
              : t('overview.missing')}
          </Badge>
        ),
      }),
      column.display({
        id: 'versions',
        header: t('overview.version'),
        meta: { visibleFrom: 'sm' },
        cell: ({ row: { original } }) =>
          [...new Set(original.replicas.map(({ version }) => version))].join(', ') || '–',
      }),
      column.display({
        id: 'started',
        header: t('overview.started'),
        meta: { visibleFrom: 'md' },
        cell: ({ row: { original } }) => {
          const [oldest] = original.replicas.map(({ startedAt }) => startedAt).toSorted();
          return oldest === undefined ? '–' : <Age since={oldest} />;
        },
      }),
      column.accessor('requestsPerSecond', {
        header: t('overview.requests'),
        meta: { align: 'right' },
        cell: ({ row: { original } }) => shown(original.requestsPerSecond, rate),
      }),
      column.accessor('p95Ms', {
        header: t('overview.p95'),
        meta: { align: 'right', visibleFrom: 'sm' },
        cell: ({ row: { original } }) => shown(original.p95Ms, milliseconds),
      }),
      column.accessor('failuresPerSecond', {
        header: t('overview.failures'),
        meta: { align: 'right', visibleFrom: 'sm' },
        cell: ({ row: { original } }) => shown(original.failuresPerSecond, rate),
      }),
      column.accessor('waitingMessages', {
        header: t('overview.queue'),
        meta: { align: 'right', visibleFrom: 'sm' },
        cell: ({ row: { original } }) =>
          shown(original.waitingMessages, (count) => (
            <Badge variant="dot" tt="none" color={queueColor(count)}>
              {whole(count)}
            </Badge>
          )),
      }),
      column.accessor('outbox', {
        header: t('overview.outboxAge'),
        meta: { align: 'right', visibleFrom: 'md' },
        cell: ({ row: { original } }) =>
          shown(original.outbox?.oldestSeconds ?? null, (age) =>
            formatDuration(age, i18n.language),
          ),
      }),
      column.display({
        id: 'memory',
        header: t('overview.memory'),
        meta: { align: 'right', visibleFrom: 'md' },
        cell: ({ row: { original } }) => (
          <Text span inherit>
            {original.replicas.length === 0
              ? '–'
              : megabytes(
                  original.replicas.reduce((total, { memoryBytes }) => total + memoryBytes, 0),
                )}
          </Text>
        ),
      }),
    ]);
  }, [t, i18n.language, rate, milliseconds, megabytes, whole]);
}
