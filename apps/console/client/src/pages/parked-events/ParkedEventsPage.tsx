import { Alert, Code, Group, Select, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react/AlertIcon';
import { InboxIcon } from '@primer/octicons-react/InboxIcon';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useLiveCall } from '../../api/use-live-call.ts';
import { Age } from '../../components/Age.tsx';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { LiveBadge } from '../../components/LiveBadge.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { ParkedEventDrawer } from './ParkedEventDrawer.tsx';
import { parkedEventsRoute, parkingApps } from './parked-events-route.ts';

type ParkedEvent = CallReply<'parked-events.list'>['items'][number];

const keyOf = ({ context, id }: ParkedEvent) => `${context}/${id}`;

/** The events that the bus gave up on: which, since when and why; each can be replayed or discarded. */
export function ParkedEventsPage(): ReactElement {
  const { t } = useTranslation();
  const { context, cursor, open } = parkedEventsRoute.useSearch();
  const navigate = useNavigate({ from: parkedEventsRoute.fullPath });
  const query = useLiveCall('parked-events.list', {
    context: context ?? null,
    cursor: cursor ?? null,
  });
  const columns = useColumns();
  return (
    <>
      <PageHeader title={t('parkedEvents.title')} description={t('parkedEvents.description')}>
        <LiveBadge {...query.liveness} />
      </PageHeader>
      <Group mb="sm">
        <Select
          label={t('parkedEvents.app')}
          size="xs"
          w={200}
          clearable
          placeholder={t('parkedEvents.allApps')}
          data={parkingApps}
          value={context ?? null}
          onChange={(chosen) =>
            void navigate({
              search: { context: chosen ?? undefined } as { context?: typeof context },
            })
          }
        />
      </Group>
      {query.data && query.data.away.length > 0 && (
        <Alert color="orange" variant="light" mb="sm" icon={<AlertIcon aria-hidden />}>
          {t('parkedEvents.away', { apps: query.data.away.join(', ') })}
        </Alert>
      )}
      <DataTable
        label={t('parkedEvents.title')}
        columns={columns}
        query={query}
        rowKey={keyOf}
        place={{ cursor }}
        onMove={(place) =>
          void navigate({ search: (before) => ({ ...before, cursor: place.cursor }) })
        }
        onOpen={(event) =>
          void navigate({ search: (before) => ({ ...before, open: keyOf(event) }) })
        }
        openKey={open}
        empty={{
          title: t('parkedEvents.empty'),
          description: t('parkedEvents.emptyDescription'),
          icon: <InboxIcon size={24} aria-hidden />,
        }}
      />
      <ParkedEventDrawer
        open={open}
        onClose={() => void navigate({ search: (before) => ({ ...before, open: undefined }) })}
      />
    </>
  );
}

function useColumns() {
  const { t } = useTranslation();
  return useMemo(() => {
    const column = dataColumns<ParkedEvent>();
    return column.columns([
      column.accessor('event', {
        header: t('parkedEvents.event'),
        cell: ({ row: { original } }) => (
          <Code fz="inherit" bg="transparent" c="inherit" p={0}>
            {original.event ?? t('parkedEvents.noEvent')}
          </Code>
        ),
      }),
      column.accessor('context', { header: t('parkedEvents.app') }),
      column.accessor('id', {
        header: t('parkedEvents.direction'),
        meta: { visibleFrom: 'md' },
        cell: ({ row: { original } }) =>
          original.id.startsWith('in-') ? t('parkedEvents.received') : t('parkedEvents.outgoing'),
      }),
      column.accessor('attempts', {
        header: t('parkedEvents.attempts'),
        meta: { align: 'right', visibleFrom: 'sm' },
      }),
      column.accessor('parked_at', {
        header: t('parkedEvents.parkedAt'),
        cell: ({ row: { original } }) => <Age since={original.parked_at} />,
      }),
      column.accessor('reason', {
        header: t('parkedEvents.reason'),
        meta: { visibleFrom: 'sm' },
        cell: ({ row: { original } }) => (
          <Text size="sm" lineClamp={1} maw={560}>
            {original.reason}
          </Text>
        ),
      }),
    ]);
  }, [t]);
}
