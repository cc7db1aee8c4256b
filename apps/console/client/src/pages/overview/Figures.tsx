import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useLiveCall } from '../../api/use-live-call.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { Sparkline } from '../../components/Sparkline.tsx';
import { useFormats } from './use-formats.ts';

type Apps = CallReply<'overview.apps'>['apps'];
type Sample = CallReply<'overview.history'>['hour']['samples'][number];

interface Props {
  readonly apps: Apps | undefined;
  readonly crawls: CallReply<'overview.crawls'> | undefined;
  readonly span: 'hour' | 'day';
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The figures of the installation, each with its last hour or day. */
export function Figures({ apps, crawls, span }: Props) {
  const { t, i18n } = useTranslation();
  const { rate, milliseconds, whole } = useFormats();
  const { data: history } = useLiveCall('overview.history', {});
  const samples = history?.[span].samples ?? [];
  const trend = (of: (sample: Sample) => number | null) => samples.map(of);
  const gateway = apps?.find(({ app }) => app === 'gateway');
  const outboxes = apps?.flatMap(({ outbox }) => outbox ?? []);
  const oldest = Math.max(0, ...(outboxes ?? []).map(({ oldestSeconds }) => oldestSeconds));
  const seconds = (value: number) => formatDuration(value, i18n.language);
  const shown = (value: number | null | undefined, format: (value: number) => string) =>
    value == null ? '–' : format(value);
  return (
    <SimpleGrid
      component="section"
      aria-label={t('overview.figures')}
      cols={{ base: 2, md: 3, xl: 6 }}
      spacing="sm"
    >
      <Figure label={t('overview.requests')} value={shown(gateway?.requestsPerSecond, rate)}>
        <Sparkline values={trend((each) => each.requestsPerSecond)} format={rate} />
      </Figure>
      <Figure label={t('overview.p95')} value={shown(gateway?.p95Ms, milliseconds)}>
        <Sparkline values={trend((each) => each.p95Ms)} format={milliseconds} color="violet" />
      </Figure>
      <Figure label={t('overview.failures')} value={shown(gateway?.failuresPerSecond, rate)}>
        <Sparkline values={trend((each) => each.failuresPerSecond)} format={rate} color="red" />
      </Figure>
      <Figure
        label={t('overview.outbox')}
        value={shown(outboxes && sum(outboxes.map(({ waiting }) => waiting)), whole)}
        detail={outboxes && oldest > 0 ? t('overview.oldest', { age: seconds(oldest) }) : undefined}
      >
        <Sparkline values={trend((each) => each.outboxWaiting)} format={whole} color="cyan" />
      </Figure>
      <Figure
        label={t('overview.parked')}
        value={shown(outboxes && sum(outboxes.map(({ parked }) => parked)), whole)}
      >
        <Sparkline values={trend((each) => each.parkedEvents)} format={whole} color="orange" />
      </Figure>
      <Figure
        label={t('overview.lateness')}
        value={shown(crawls?.mostLateSeconds, seconds)}
        detail={crawls && t('overview.lateCrawls', { count: crawls.late })}
      />
    </SimpleGrid>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly detail?: string | undefined;
  readonly children?: ReactNode;
}

const Figure = ({ label, value, detail, children }: FigureProps) => (
  <Paper withBorder p="sm" radius="sm">
    <Text size="xs" c="dimmed" fw={500} truncate>
      {label}
    </Text>
    <Text fz={22} fw={600} lh={1.3} style={{ fontVariantNumeric: 'tabular-nums' }}>
      {value}
    </Text>
    <Text size="xs" c="dimmed" mih={18}>
      {detail}
    </Text>
    {children}
  </Paper>
);
