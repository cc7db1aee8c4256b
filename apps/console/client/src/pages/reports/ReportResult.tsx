import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';

interface Props {
  readonly input: CallInput<'reports.run'>;
}

type Column = CallReply<'reports.run'>['columns'][number];
interface Row {
  readonly place: number;
  readonly cells: CallReply<'reports.run'>['items'][number];
}

const numbers: readonly Column['kind'][] = ['integer', 'float'];
const noColumns: readonly Column[] = [];

/** The first rows of a report's result. */
export function ReportResult({ input }: Props) {
  const { t } = useTranslation();
  const query = useCall('reports.run', input);
  const { data } = query;
  const columns = useColumns(data?.columns ?? noColumns);
  const rows = useMemo(
    () => data && { items: data.items.map((cells, place): Row => ({ place, cells })), next: null },
    [data],
  );
  return (
    <>
      <DataTable
        label={t('reports.result')}
        columns={columns}
        query={{ ...query, data: rows }}
        rowKey={({ place }) => `${place}`}
        place={{}}
        onMove={() => undefined}
        empty={{ title: t('reports.noRows') }}
      />
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
    return columns.map(({ name, kind }, place) =>
      column.display({
        id: `${place}`,
        header: name,
        ...(numbers.includes(kind) && { meta: { align: 'right' } as const }),
        cell: ({ row: { original } }) => textOf(original.cells[name]),
      }),
    );
  }, [columns]);
}

/** A value as a text. */
const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? '–'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
