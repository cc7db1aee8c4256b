import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { PeopleIcon } from '@primer/octicons-react/PeopleIcon';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { SearchForm } from '../../components/SearchForm.tsx';
import { registrationRoute } from '../registration/registration-route.ts';
import { useRefetchOn } from '../registration/use-refetch-on.ts';
import { CompletionBadge, SuccessBadge } from '../registrations/ResultBadge.tsx';
import { invitationRoute } from './invitation-route.ts';
import type { PartProps } from './InvitationCourses.tsx';

type Learner = CallReply<'invitations.list-learners'>['items'][number];
type Assigned = Learner['registrations'][number];

/** The learners of an invitation, and what became of their registrations. */
export function InvitationLearners({ named, version }: PartProps) {
  const { t } = useTranslation();
  const { learner, cursor } = invitationRoute.useSearch();
  const navigate = useNavigate({ from: invitationRoute.fullPath });
  const query = useCall('invitations.list-learners', { ...named, learner, cursor: cursor ?? null });
  useRefetchOn(version, query.refetch);
  const columns = useColumns(named.realm);
  return (
    <>
      <SearchForm
        fields={[
          {
            name: 'learner',
            label: t('registrations.learner'),
            placeholder: t('registrations.learnerHint'),
            value: learner,
            maxLength: 254,
          },
        ]}
        onSearch={(texts) =>
          void navigate({
            search: (before) => ({ ...before, learner: texts.learner, cursor: undefined }),
          })
        }
      />
      <DataTable
        label={t('invitation.learners')}
        columns={columns}
        query={query}
        rowKey={({ learner_id }) => learner_id}
        place={{ cursor }}
        onMove={(place) =>
          void navigate({ search: (before) => ({ ...before, cursor: place.cursor }) })
        }
        empty={{ title: t('invitation.noLearners'), icon: <PeopleIcon size={24} aria-hidden /> }}
      />
    </>
  );
}

function useColumns(realm: string) {
  const { t } = useTranslation();
  return useMemo(() => {
    const column = dataColumns<Learner>();
    return column.columns([
      column.accessor('learner_id', {
        header: t('registrations.learner'),
        cell: ({ row: { original } }) => (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {original.learner_id}
          </Text>
        ),
      }),
      column.accessor('registrations', {
        header: t('invitation.became'),
        cell: ({ row: { original } }) => (
          <Stack gap={4}>
            {original.registrations.map((registration) => (
              <Outcome key={registration.course_guid} registration={registration} realm={realm} />
            ))}
            {original.registrations.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('invitation.noRegistrations')}
              </Text>
            )}
            {original.hasMore && (
              <Text size="xs" c="dimmed">
                {t('invitation.moreCourses')}
              </Text>
            )}
          </Stack>
        ),
      }),
    ]);
  }, [t, realm]);
}

function Outcome({
  registration,
  realm,
}: {
  readonly registration: Assigned;
  readonly realm: string;
}) {
  const { t } = useTranslation();
  const { course_guid, registration_guid, launched_at, provider_state } = registration;
  const state = [
    registration.deleted && t('registration.deleted'),
    provider_state === 'waiting' && t('invitation.waiting'),
    provider_state === 'local' && t('registration.providerStates.local'),
    launched_at === null && provider_state === 'ready' && t('invitation.notLaunched'),
    registration.holds_seat && t('invitation.holdsSeat'),
  ].filter((each) => each !== false);
  return (
    <Group gap={6}>
      <Anchor
        size="sm"
        style={{ overflowWrap: 'anywhere' }}
        renderRoot={(props) => (
          <Link
            to={registrationRoute.to}
            params={{ realm, registration: registration_guid }}
            {...props}
          />
        )}
      >
        {course_guid}
      </Anchor>
      <CompletionBadge value={registration.complete} />
      {registration.success !== 'unknown' && <SuccessBadge value={registration.success} />}
      {registration.score !== null && (
        <Text size="xs">{t('registration.scoreOf', { score: registration.score })}</Text>
      )}
      {state.map((text) => (
        <Badge key={text} variant="default" tt="none" fw={500}>
          {text}
        </Badge>
      ))}
    </Group>
  );
}
