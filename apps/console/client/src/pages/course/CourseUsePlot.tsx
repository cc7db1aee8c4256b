import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { CallReply } from '../../../../src/calls/calls.ts';

interface Props {
  readonly height: number;
  readonly days: CallReply<'courses.show-use'>['days'];
  /** The name of the numbers. */
  readonly label: string;
  readonly formatDay: (day: string) => string;
  readonly format: (value: number) => string;
}

/** A bar for each day. */
export default function CourseUsePlot({ height, days, label, formatDay, format }: Props) {
  return (
    <BarChart
      h={height}
      data={days.map(({ day, registrations }) => ({ day: formatDay(day), registrations }))}
      dataKey="day"
      series={[{ name: 'registrations', label, color: 'blue.7' }]}
      valueFormatter={format}
      yAxisProps={{ allowDecimals: false }}
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false }}
    />
  );
}
