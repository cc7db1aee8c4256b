import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { type ChartColumns, textOf } from './report-values.ts';

const colors = ['blue.7', 'orange.7', 'teal.7', 'violet.6', 'red.7'];

/** Names on the axis are cut off here: characters. */
const longestName = 14;

interface Props extends ChartColumns {
  readonly height: number;
  readonly rows: CallReply<'reports.run'>['items'];
  readonly format: (value: number) => string;
}

/** Lines over times, and bars over anything else. */
export default function ReportPlot({ height, rows, x, y, format }: Props) {
  const isTime = rows.every(({ [x]: value }) => /^\d{4}-\d\d-\d\d/.test(textOf(value)));
  const shared = {
    h: height,
    data: rows.map((row) => ({ ...row, [x]: textOf(row[x]) })),
    dataKey: x,
    series: y.map((name, place) => ({ name, color: colors[place]! })),
    withLegend: y.length > 1,
    valueFormatter: format,
    xAxisProps: {
      tickFormatter: (name: string) =>
        name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name,
    },
  };
  return isTime ? (
    <LineChart
      {...shared}
      curveType="linear"
      lineChartProps={{ accessibilityLayer: false }}
      lineProps={{ isAnimationActive: false }}
    />
  ) : (
    <BarChart
      {...shared}
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false }}
    />
  );
}
