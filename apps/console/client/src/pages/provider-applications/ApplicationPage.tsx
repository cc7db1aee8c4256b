import { Anchor, Card, Loader, SimpleGrid, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveCall } from '../../api/use-live-call.ts';
import { Failure } from '../../components/Failure.tsx';
import { LiveBadge } from '../../components/LiveBadge.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { CrawlFacts } from './CrawlFacts.tsx';
import { Credentials } from './Credentials.tsx';
import { HistoryTable } from './HistoryTable.tsx';
import { Limits } from './Limits.tsx';
import { Postbacks } from './Postbacks.tsx';
import { applicationRoute } from './provider-applications-routes.ts';

/** One provider application: its crawls, limits, credentials and postbacks, and what can be done with them. */
export function ApplicationPage() {
  const { t } = useTranslation();
  const named = applicationRoute.useParams();
  const query = useLiveCall('provider-applications.show', named);
  const { data, error } = query;
  const title = data?.application.name ?? t('providerApplications.one');
  return (
    <>
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link
            to="/realms/$realm/provider-applications"
            params={{ realm: named.realm }}
            {...props}
          />
        )}
      >
        {t('providerApplications.title')}
      </Anchor>
      <PageHeader title={title}>
        <LiveBadge {...query.liveness} />
      </PageHeader>
      {error ? <Failure error={error} onRetry={query.refetch} /> : null}
      {!data && !error && <Loader aria-label={t('table.loading')} />}
      {data && (
        <Stack mt={error ? 'md' : 0}>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Section title={t('providerApplications.crawls')}>
              <CrawlFacts named={named} crawls={data.crawls} />
            </Section>
            <Section title={t('providerApplications.limits')}>
              <Limits named={named} crawls={data.crawls} />
            </Section>
            <Section title={t('providerApplications.credentials')}>
              <Credentials named={named} application={data.application} />
            </Section>
            <Section title={t('providerApplications.postbacks')}>
              <Postbacks named={named} url={data.postbackUrl} />
            </Section>
          </SimpleGrid>
          <div>
            <Title order={2} mb="sm">
              {t('providerApplications.history')}
            </Title>
            <HistoryTable />
          </div>
        </Stack>
      )}
    </>
  );
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Card withBorder component="section" aria-label={title}>
    <Title order={2} mb="sm">
      {title}
    </Title>
    <Stack gap="sm">{children}</Stack>
  </Card>
);
