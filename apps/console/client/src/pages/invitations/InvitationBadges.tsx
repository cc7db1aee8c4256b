import { Badge, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';

interface Props {
  readonly invitation: Pick<
    CallReply<'invitations.show'>,
    'license' | 'enabled' | 'no_updates_allowed'
  >;
}

/** What an invitation is, and whether learners can be added. */
export function InvitationBadges({ invitation }: Props) {
  const { t } = useTranslation();
  return (
    <Group gap={4}>
      <Badge variant="default" tt="none" fw={500}>
        {t(invitation.license ? 'invitations.license' : 'invitations.invitation')}
      </Badge>
      {!invitation.enabled && (
        <Badge variant="dot" color="orange" tt="none" fw={500}>
          {t('invitations.disabled')}
        </Badge>
      )}
      {invitation.no_updates_allowed && (
        <Badge variant="dot" color="orange" tt="none" fw={500}>
          {t('invitations.closed')}
        </Badge>
      )}
    </Group>
  );
}
