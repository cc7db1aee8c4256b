import { Box, Group, MultiSelect, Select, Skeleton, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { chartColumns, isNumeric, maxSeries } from './report-values.ts';
import { reportRoute } from './reports-routes.ts';

/** The charts are loaded after the page that shows them. */
const Plot = lazy(() => import('./ReportPlot.tsx'));

const height = 360;

interface Props {
  readonly result: CallReply<'reports.run'>;
}

/** The rows of a result as a chart, of columns that the reader chooses. */
export function ReportChart({ result: { columns, items } }: Props) {
  const { t, i18n } = useTranslation();
  const chosen = reportRoute.useSearch();
  const navigate = useNavigate({ from: reportRoute.fullPath });
  const shown = chartColumns(columns, chosen);
  if (items.length === 0) return <Text size="sm">{t('reports.noRows')}</Text>;
  if (!shown) return <Text size="sm">{t('reports.noNumbers')}</Text>;
  const { x, y } = shown;
  const numbers = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 2 });
  return (
    <>
      <Group align="flex-start" mb="md">
        <Select
          size="xs"
          label={t('reports.chartX')}
          data={columns.map(({ name }) => name)}
          value={x}
          allowDeselect={false}
          onChange={(name) =>
            void navigate({ search: (before) => ({ ...before, x: name ?? undefined }) })
          }
        />
        <MultiSelect
          size="xs"
          label={t('reports.chartY')}
          data={columns.filter(isNumeric).map(({ name }) => name)}
          value={[...y]}
          maxValues={maxSeries}
          onChange={(names) => void navigate({ search: (before) => ({ ...before, y: names }) })}
        />
      </Group>
      <Box role="img" aria-label={t('reports.chartOf', { columns: y.join(', '), x })}>
        <Suspense fallback={<Skeleton h={height} />}>
          <Plot
            height={height}
            rows={items}
            x={x}
            y={y}
            format={(value) => numbers.format(value)}
          />
        </Suspense>
      </Box>
    </>
  );
}
