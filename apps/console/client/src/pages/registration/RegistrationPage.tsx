import { Grid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ReactElement } from 'react';
import { maySee, useSession } from '../../api/session.ts';
import { useLiveCall } from '../../api/use-live-call.ts';
import { LiveBadge } from '../../components/LiveBadge.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { Section } from '../../components/Section.tsx';
import { Unloaded } from '../../components/Unloaded.tsx';
import { PreviewRegistration } from './PreviewRegistration.tsx';
import { RecrawlButton } from './RecrawlButton.tsx';
import { registrationRoute } from './registration-route.ts';
import { RegistrationFacts } from './RegistrationFacts.tsx';
import { RegistrationReport } from './RegistrationReport.tsx';
import { RegistrationTimeline } from './RegistrationTimeline.tsx';

/** One registration: what it is, what happened to it, and its activity report. */
export function RegistrationPage(): ReactElement {
  const { t } = useTranslation();
  const { realm, registration } = registrationRoute.useParams();
  const named = { realm, registration };
  const query = useLiveCall('registrations.show', named);
  const session = useSession();
  const { data } = query;
  if (!data) {
    return <Unloaded title={t('registration.title')} error={query.error} onRetry={query.refetch} />;
  }
  return (
    <>
      <PageHeader
        title={t('registration.of', { learner: data.learner_id })}
        description={data.details.course_title ?? data.course_guid}
      >
        <LiveBadge {...query.liveness} />
        {maySee(session, 'author', realm) && (
          <>
            <RecrawlButton named={named} />
            <PreviewRegistration named={named} />
          </>
        )}
      </PageHeader>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title={t('registration.facts')}>
            <RegistrationFacts registration={data} realm={realm} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title={t('registration.timeline')}>
            <RegistrationTimeline named={named} version={data.updated_at} />
          </Section>
        </Grid.Col>
        <Grid.Col span={12}>
          <Section title={t('registration.report')}>
            <RegistrationReport named={named} version={data.updated_at} />
          </Section>
        </Grid.Col>
      </Grid>
    </>
  );
}
