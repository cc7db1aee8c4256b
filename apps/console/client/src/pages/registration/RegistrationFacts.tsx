import { Anchor, Badge, Code, DataList, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { Time } from '../../components/Time.tsx';
import { invitationRoute } from '../invitation/invitation-route.ts';
import { CompletionBadge, SuccessBadge } from '../registrations/ResultBadge.tsx';

interface Props {
  readonly registration: CallReply<'registrations.show'>;
  readonly realm: string;
}

const providerStates = ['ready', 'waiting', 'local'] as const;

/** What a registration is now. */
export function RegistrationFacts({ registration, realm }: Props) {
  const { t, i18n } = useTranslation();
  const { details } = registration;
  const state = providerStates.find((each) => each === details.provider_state);
  return (
    <DataList>
      <Fact label={t('registrations.learner')}>{registration.learner_id}</Fact>
      <Fact label={t('registrations.guid')}>
        <Code>{registration.registration_guid}</Code>
      </Fact>
      <Fact label={t('registrations.courseGuid')}>
        <Code>{registration.course_guid}</Code>
      </Fact>
      <Fact label={t('registration.result')}>
        <Group gap={6}>
          <CompletionBadge value={registration.complete} />
          <SuccessBadge value={registration.success} />
          {!registration.active && (
            <Badge variant="default" tt="none" fw={500}>
              {t('registration.inactive')}
            </Badge>
          )}
          {registration.deleted !== null && (
            <Badge variant="default" tt="none" fw={500}>
              {t('registration.deleted')}
            </Badge>
          )}
        </Group>
      </Fact>
      <Fact label={t('registrations.score')}>{registration.score ?? '–'}</Fact>
      <Fact label={t('registration.attempts')}>{registration.attempts}</Fact>
      <Fact label={t('registration.time')}>
        {formatDuration(registration.totaltime, i18n.language)}
      </Fact>
      <Fact label={t('registration.provider')}>
        {state ? t(`registration.providerStates.${state}`) : details.provider_state}
      </Fact>
      <Fact label={t('registration.synced')}>
        {registration.synced_at === null ? '–' : <Time at={registration.synced_at} />}
      </Fact>
      {details.launch_open !== null && (
        <Fact label={t('registration.launchOpen')}>
          {t(details.launch_open ? 'registration.yes' : 'registration.no')}
        </Fact>
      )}
      {details.invitations.length > 0 && (
        <Fact label={t('registration.invitations')}>
          <Group gap="xs">
            {details.invitations.map(({ id, name }) => (
              <Anchor
                key={id}
                size="sm"
                renderRoot={(props) => (
                  <Link
                    to={invitationRoute.to}
                    params={{ realm, invitation: `${id}` }}
                    {...props}
                  />
                )}
              >
                {name}
              </Anchor>
            ))}
          </Group>
        </Fact>
      )}
      {registration.custom !== null && (
        <Fact label={t('registration.custom')}>
          <Code block tabIndex={0} mah={160} style={{ overflow: 'auto' }}>
            {JSON.stringify(registration.custom, null, 2)}
          </Code>
        </Fact>
      )}
    </DataList>
  );
}

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <DataList.Item>
    <DataList.ItemLabel>{label}</DataList.ItemLabel>
    <DataList.ItemValue style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
      {children}
    </DataList.ItemValue>
  </DataList.Item>
);
