import { Group, SegmentedControl, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveCall } from '../../api/use-live-call.ts';
import { LiveBadge } from '../../components/LiveBadge.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { Apps } from './Apps.tsx';
import { Crawls } from './Crawls.tsx';
import { Figures } from './Figures.tsx';
import { Findings } from './Findings.tsx';
import { overviewRoute } from './overview-route.ts';

/** The state of the installation: what needs attention, the figures of the last hour or day, apps and crawls. */
export function OverviewPage(): ReactElement {
  const { t } = useTranslation();
  const { span } = overviewRoute.useSearch();
  const navigate = useNavigate({ from: overviewRoute.fullPath });
  const apps = useLiveCall('overview.apps', {});
  const crawls = useLiveCall('overview.crawls', {});
  return (
    <>
      <PageHeader title={t('overview.title')} description={t('overview.description')}>
        <LiveBadge {...apps.liveness} />
      </PageHeader>
      <Stack gap="lg">
        <Findings />
        <Group justify="flex-end" mb={-8}>
          <SegmentedControl
            size="xs"
            aria-label={t('overview.span')}
            value={span ?? 'hour'}
            onChange={(chosen) =>
              void navigate({ search: { span: chosen === 'day' ? chosen : undefined } })
            }
            data={[
              { value: 'hour', label: t('overview.hour') },
              { value: 'day', label: t('overview.day') },
            ]}
          />
        </Group>
        <Figures apps={apps.data?.apps} crawls={crawls.data} span={span ?? 'hour'} />
        <Apps query={apps} />
        <Crawls query={crawls} />
      </Stack>
    </>
  );
}
