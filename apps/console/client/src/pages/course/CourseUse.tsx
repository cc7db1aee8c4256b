import { Box, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { Failure } from '../../components/Failure.tsx';
import { useRefetchOn } from '../registration/use-refetch-on.ts';
import { courseRoute } from './course-route.ts';

/** The charts are loaded after the page that shows them. */
const Plot = lazy(() => import('./CourseUsePlot.tsx'));

const height = 160;

interface Props {
  readonly named: CallInput<'courses.show-use'>;
  /** The number of registrations: those of the days are read again when it changes. */
  readonly version: number;
}

type Day = CallReply<'courses.show-use'>['days'][number];

/** How many registrations were created on each of the last days, as a chart or as a table. */
export function CourseUse({ named, version }: Props) {
  const { t, i18n } = useTranslation();
  const { use: view } = courseRoute.useSearch();
  const navigate = useNavigate({ from: courseRoute.fullPath });
  const query = useCall('courses.show-use', named);
  useRefetchOn(version, query.refetch);
  const { data, error } = query;
  const columns = useColumns();
  const newestFirst = useMemo(() => data && { items: data.days.toReversed(), next: null }, [data]);
  if (error && !data) return <Failure error={error} onRetry={query.refetch} />;
  if (data?.days.length === 0) return <Text size="sm">{t('course.noUse')}</Text>;
  return (
    <>
      <SegmentedControl
        size="xs"
        mb="sm"
        aria-label={t('reports.view')}
        value={view ?? 'chart'}
        onChange={(chosen) =>
          void navigate({
            search: (before) => ({ ...before, use: chosen === 'table' ? chosen : undefined }),
          })
        }
        data={[
          { value: 'chart', label: t('reports.chart') },
          { value: 'table', label: t('reports.table') },
        ]}
      />
      {view === 'table' ? (
        <DataTable
          label={t('course.useByDay')}
          columns={columns}
          query={{ ...query, data: newestFirst }}
          rowKey={({ day }) => day}
          place={{}}
          onMove={() => undefined}
          empty={{ title: t('course.noUse') }}
        />
      ) : (
        <UseChart data={data} language={i18n.language} />
      )}
      <Text size="xs" c="dimmed" mt="xs">
        {t('course.useBound')}
      </Text>
    </>
  );
}

interface ChartProps {
  readonly data: CallReply<'courses.show-use'> | undefined;
  readonly language: string;
}

function UseChart({ data, language }: ChartProps) {
  const { t } = useTranslation();
  if (!data) return <Skeleton h={height} />;
  const number = new Intl.NumberFormat(language);
  const date = dateFormat(language);
  const total = data.days.reduce((sum, { registrations }) => sum + registrations, 0);
  const label = t('course.useOf', {
    count: total,
    number: number.format(total),
    since: date(data.since),
    until: date(data.until),
  });
  return (
    <>
      <Text size="sm" mb="xs">
        {label}
      </Text>
      <Box role="img" aria-label={label}>
        <Suspense fallback={<Skeleton h={height} />}>
          <Plot
            height={height}
            days={allDays(data)}
            label={t('registrations.title')}
            formatDay={date}
            format={(value) => number.format(value)}
          />
        </Suspense>
      </Box>
    </>
  );
}

/** The days from the first to the last one, those without registrations too. */
function allDays({ since, until, days }: CallReply<'courses.show-use'>): Day[] {
  const known = new Map(days.map((each) => [each.day, each]));
  const all: Day[] = [];
  const last = Date.parse(until);
  for (let time = Date.parse(since); time <= last; time += 86_400_000) {
    const day = new Date(time).toISOString().slice(0, 10);
    all.push(known.get(day) ?? { day, registrations: 0 });
  }
  return all;
}

/** Writes a day as the reader's language does. */
function dateFormat(language: string): (day: string) => string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  return (day) => format.format(new Date(day));
}

function useColumns() {
  const { t, i18n } = useTranslation();
  return useMemo(() => {
    const number = new Intl.NumberFormat(i18n.language);
    const date = dateFormat(i18n.language);
    const column = dataColumns<Day>();
    return column.columns([
      column.accessor('day', {
        header: t('course.day'),
        cell: ({ row: { original } }) => date(original.day),
      }),
      column.accessor('registrations', {
        header: t('registrations.title'),
        meta: { align: 'right' },
        cell: ({ row: { original } }) => number.format(original.registrations),
      }),
    ]);
  }, [t, i18n.language]);
}
