import { Group, SegmentedControl, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { ReportChart } from './ReportChart.tsx';
import { isNumeric, textOf } from './report-values.ts';
import { reportRoute } from './reports-routes.ts';

interface Props {
  readonly input: CallInput<'reports.run'>;
}

type Reply = CallReply<'reports.run'>;
type Column = Reply['columns'][number];
interface Row {
  readonly place: number;
  readonly cells: Reply['items'][number];
}

const noColumns: readonly Column[] = [];

/** The first rows of a report's result, as a table or as a chart. */
export function ReportResult({ input }: Props) {
  const { t } = useTranslation();
  const { view } = reportRoute.useSearch();
  const navigate = useNavigate({ from: reportRoute.fullPath });
  const query = useCall('reports.run', input);
  const { data } = query;
  const columns = useColumns(data?.columns ?? noColumns);
  const rows = useMemo(
    () => data && { items: data.items.map((cells, place): Row => ({ place, cells })), next: null },
    [data],
  );
  return (
    <>
      <Group justify="space-between" mb="sm">
        <SegmentedControl
          size="xs"
          aria-label={t('reports.view')}
          value={view ?? 'table'}
          onChange={(chosen) =>
            void navigate({
              search: (before) => ({ ...before, view: chosen === 'chart' ? chosen : undefined }),
            })
          }
          data={[
            { value: 'table', label: t('reports.table') },
            { value: 'chart', label: t('reports.chart') },
          ]}
        />
      </Group>
      {view === 'chart' && data ? (
        <ReportChart result={data} />
      ) : (
        <DataTable
          label={t('reports.result')}
          columns={columns}
          query={{ ...query, data: rows }}
          rowKey={({ place }) => `${place}`}
          place={{}}
          onMove={() => undefined}
          empty={{ title: t('reports.noRows') }}
        />
      )}
      {data?.isCut && (
        <Text size="sm" mt="xs">
          {t('reports.cut', { count: data.items.length })}
        </Text>
      )}
    </>
  );
}

function useColumns(columns: readonly Column[]) {
  return useMemo(() => {
    const column = dataColumns<Row>();
    return columns.map((each, place) =>
      column.display({
        id: `${place}`,
        header: each.name,
        ...(isNumeric(each) && { meta: { align: 'right' } as const }),
        cell: ({ row: { original } }) => textOf(original.cells[each.name]),
      }),
    );
  }, [columns]);
}
