import { Code, Loader, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { Failure } from '../../components/Failure.tsx';
import { Time } from '../../components/Time.tsx';
import { ActorName } from '../registration/ActorName.tsx';
import { useRefetchOn } from '../registration/use-refetch-on.ts';
import type { PartProps } from './InvitationCourses.tsx';

/** The newest changes of an invitation's learners, from the audit log. */
export function InvitationActs({ named, version }: PartProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useCall('invitations.list-acts', { ...named, limit: 20 });
  useRefetchOn(version, refetch);
  if (error) return <Failure error={error} onRetry={refetch} />;
  if (!data) return <Loader aria-label={t('table.loading')} />;
  if (data.items.length === 0) return <Text size="sm">{t('invitation.noActs')}</Text>;
  return (
    <Table.ScrollContainer minWidth={320} type="native">
      <Table aria-label={t('invitation.acts')} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('invitation.when')}</Table.Th>
            <Table.Th>{t('invitation.who')}</Table.Th>
            <Table.Th>{t('invitation.what')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.items.map(({ id, occurred_at, action, actor, actor_id, actor_name, subject }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Time at={occurred_at} />
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <ActorName actor={actor} actorId={actor_id} actorName={actor_name} />
              </Table.Td>
              <Table.Td>
                {action === 'learners.changed' ? (
                  t('invitation.changed', {
                    added: subject['learners_added'],
                    removed: subject['learners_removed'],
                    created: subject['registrations_created'],
                  })
                ) : (
                  <Code>{action}</Code>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
