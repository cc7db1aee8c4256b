import { Button, Text } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react/PlusIcon';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useSession } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { newReportRoute, reportRoute, reportsRoute } from './reports-routes.ts';
import { useOwnerName } from './use-owner-name.ts';

type Report = CallReply<'reports.list'>['items'][number];

/** The stored queries of a realm. */
export function ReportsPage(): ReactElement {
  const { t } = useTranslation();
  const { realm } = reportsRoute.useParams();
  const { cursor } = reportsRoute.useSearch();
  const navigate = useNavigate({ from: reportsRoute.fullPath });
  const query = useCall('reports.list', { realm, cursor: cursor ?? null });
  const { operator } = useSession().roles;
  const columns = useColumns();
  return (
    <>
      <PageHeader title={t('reports.title')} description={t('reports.description')}>
        {operator && (
          <Button
            size="xs"
            leftSection={<PlusIcon size={14} aria-hidden />}
            renderRoot={(props) => <Link to={newReportRoute.to} params={{ realm }} {...props} />}
          >
            {t('reports.new')}
          </Button>
        )}
      </PageHeader>
      <DataTable
        label={t('reports.title')}
        columns={columns}
        query={query}
        rowKey={({ id }) => `${id}`}
        place={{ cursor }}
        onMove={(place) => void navigate({ search: { cursor: place.cursor } })}
        onOpen={({ name: report, query_scope: scope, provider_application_id: application }) =>
          void navigate({
            to: reportRoute.to,
            params: { realm, report },
            search: { scope, application: application ?? undefined },
          })
        }
        empty={{ title: t('reports.empty') }}
      />
    </>
  );
}

function useColumns() {
  const { t } = useTranslation();
  const ownerName = useOwnerName();
  return useMemo(() => {
    const column = dataColumns<Report>();
    return column.columns([
      column.accessor('name', {
        header: t('reports.name'),
        cell: ({ row: { original } }) => (
          <Text span inherit style={{ overflowWrap: 'anywhere' }}>
            {original.name}
          </Text>
        ),
      }),
      column.accessor('query_scope', {
        header: t('reports.scope'),
        cell: ({ row: { original } }) => ownerName(original),
      }),
      column.accessor('parameters', {
        header: t('reports.parameters'),
        meta: { visibleFrom: 'sm' },
        cell: ({ row: { original } }) => original.parameters.join(', ') || '–',
      }),
    ]);
  }, [t, ownerName]);
}
