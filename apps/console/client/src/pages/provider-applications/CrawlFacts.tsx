import { Alert, Group, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react/AlertIcon';
import { PauseIcon } from '@primer/octicons-react/PauseIcon';
import { PlayIcon } from '@primer/octicons-react/PlayIcon';
import { SyncIcon } from '@primer/octicons-react/SyncIcon';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useChange } from '../../api/use-change.tsx';
import { Age } from '../../components/Age.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { Fact, Facts } from '../../components/Facts.tsx';
import { formatDuration } from '../../components/format-duration.ts';
import { CrawlProgressBar } from './CrawlProgressBar.tsx';
import { type Crawls, CrawlState } from './CrawlState.tsx';
import type { NamedApplication } from './named-application.ts';

interface Props {
  readonly named: NamedApplication;
  readonly crawls: Crawls | null;
}

/** How far the crawls of a provider application are, and the buttons that steer them. */
export function CrawlFacts({ named, crawls }: Props) {
  const { t, i18n } = useTranslation();
  if (crawls === null) return <Text size="sm">{t('providerApplications.unknownHint')}</Text>;
  const sweep = (state: Crawls['registrations'], at: string | null) => (
    <>
      {t(`providerApplications.sweeps.${state}`)}
      {at !== null && (
        <>
          {' · '}
          <Age since={at} />
        </>
      )}
    </>
  );
  return (
    <>
      <CrawlProgressBar crawls={crawls} />
      <Facts>
        <Fact label={t('providerApplications.state')}>
          <CrawlState state={crawls.state} />
        </Fact>
        <Fact label={t('providerApplications.late')}>
          {formatDuration(crawls.late_seconds, i18n.language)}
        </Fact>
        <Fact label={t('providerApplications.changesAt')}>
          {crawls.changes_at === null ? (
            t('providerApplications.never')
          ) : (
            <Age since={crawls.changes_at} />
          )}
        </Fact>
        <Fact label={t('providerApplications.registrationSweep')}>
          {sweep(crawls.registrations, crawls.registrations_at)}
        </Fact>
        <Fact label={t('providerApplications.courseSweep')}>
          {sweep(crawls.courses, crawls.courses_at)}
        </Fact>
      </Facts>
      {crawls.error !== null && (
        <Alert
          color="orange"
          variant="light"
          icon={<AlertIcon aria-hidden />}
          title={t('providerApplications.error')}
        >
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {crawls.error}
          </Text>
        </Alert>
      )}
      <CrawlButtons named={named} isPaused={crawls.configuration.paused} />
    </>
  );
}

interface ButtonProps {
  readonly named: NamedApplication;
  readonly isPaused: boolean;
}

function CrawlButtons({ named, isPaused }: ButtonProps) {
  const { t } = useTranslation();
  const crawl = useChange('provider-applications.crawl', {
    done: () => t('providerApplications.crawlDue'),
  });
  const configure = useChange('provider-applications.configure', {
    done: ({ paused }) =>
      paused ? t('providerApplications.paused') : t('providerApplications.resumed'),
  });
  return (
    <Group gap="xs">
      <Button
        size="xs"
        leftSection={<SyncIcon size={16} aria-hidden />}
        loading={crawl.isPending}
        onClick={() => crawl.mutate({ ...named, sweep: false })}
      >
        {t('providerApplications.crawlNow')}
      </Button>
      <ConfirmButton
        size="xs"
        variant="default"
        label={t('providerApplications.sweep')}
        consequence={t('providerApplications.sweepConsequence')}
        isPending={crawl.isPending}
        onConfirm={() => crawl.mutateAsync({ ...named, sweep: true })}
      />
      {isPaused ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<PlayIcon size={16} aria-hidden />}
          loading={configure.isPending}
          onClick={() => configure.mutate({ ...named, paused: false })}
        >
          {t('providerApplications.resume')}
        </Button>
      ) : (
        <ConfirmButton
          size="xs"
          variant="default"
          leftSection={<PauseIcon size={16} aria-hidden />}
          label={t('providerApplications.pause')}
          consequence={t('providerApplications.pauseConsequence')}
          isPending={configure.isPending}
          onConfirm={() => configure.mutateAsync({ ...named, paused: true })}
        />
      )}
    </Group>
  );
}
