import { Box, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';

/** The charts are loaded after the page that shows them. */
const Chart = lazy(() => import('./SparklineChart.tsx'));

interface Props {
  /** Values in equal steps of time; null where nothing is known. */
  readonly values: readonly (number | null)[];
  /** Writes a value with its unit, for screen readers. */
  readonly format: (value: number) => string;
  readonly color?: string;
}

const height = 36;

/** How a value has changed; for screen readers, its lowest and highest value. */
export function Sparkline({ values, format, color = 'blue' }: Props) {
  const { t } = useTranslation();
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return <Box h={height} />;
  const [lowest, highest] = [format(Math.min(...known)), format(Math.max(...known))];
  return (
    <>
      <span className="visually-hidden">{t('sparkline.range', { lowest, highest })}</span>
      <Box inert>
        <Suspense fallback={<Skeleton h={height} />}>
          <Chart
            h={height}
            data={[...values]}
            color={color}
            curveType="monotone"
            strokeWidth={1.5}
            fillOpacity={0.25}
            areaProps={{ isAnimationActive: false }}
          />
        </Suspense>
      </Box>
    </>
  );
}
