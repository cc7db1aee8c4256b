import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { PersonAddIcon } from '@primer/octicons-react/PersonAddIcon';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { maySee, useSession } from '../../api/session.ts';
import { useLiveCall } from '../../api/use-live-call.ts';
import { LiveBadge } from '../../components/LiveBadge.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { Unloaded } from '../../components/Unloaded.tsx';
import { addLearnersRoute } from '../add-learners/add-learners-route.ts';
import { InvitationBadges } from '../invitations/InvitationBadges.tsx';
import { SeatBar } from '../invitations/SeatBar.tsx';
import { useCount } from '../invitations/use-count.ts';
import { invitationRoute } from './invitation-route.ts';
import { InvitationActs } from './InvitationActs.tsx';
import { InvitationCourses } from './InvitationCourses.tsx';
import { InvitationLearners } from './InvitationLearners.tsx';

/** The parts of the page, by the keys of their titles. */
const parts = [
  ['courses', InvitationCourses],
  ['learners', InvitationLearners],
  ['acts', InvitationActs],
] as const;

/** One invitation: its seats, its courses, its learners and what became of each. */
export function InvitationPage(): ReactElement {
  const { t } = useTranslation();
  const { realm, invitation } = invitationRoute.useParams();
  const named = { realm, invitation: Number(invitation) };
  const query = useLiveCall('invitations.show', named);
  const session = useSession();
  const count = useCount();
  const { data } = query;
  if (!data) {
    return <Unloaded title={t('invitation.title')} error={query.error} onRetry={query.refetch} />;
  }
  return (
    <>
      <PageHeader title={data.name} {...(data.description && { description: data.description })}>
        <LiveBadge {...query.liveness} />
        {maySee(session, 'administrator', realm) && (
          <Button
            size="xs"
            leftSection={<PersonAddIcon size={14} aria-hidden />}
            renderRoot={(props) => (
              <Link to={addLearnersRoute.to} params={{ realm, invitation }} {...props} />
            )}
          >
            {t('addLearners.title')}
          </Button>
        )}
      </PageHeader>
      <Stack gap="lg">
        <Group gap="lg">
          <InvitationBadges invitation={data} />
          <Text size="sm">{t('invitation.learnerCount', { number: count(data.learners) })}</Text>
          {data.seats && (
            <SeatBar label={t('invitations.seatsOf', { name: data.name })} seats={data.seats} />
          )}
        </Group>
        {parts.map(([part, Part]) => (
          <section key={part} aria-labelledby={part}>
            <Title order={2} size="h5" mb="xs" id={part}>
              {t(`invitation.${part}`)}
            </Title>
            <Part named={named} version={data} />
          </section>
        ))}
      </Stack>
    </>
  );
}
