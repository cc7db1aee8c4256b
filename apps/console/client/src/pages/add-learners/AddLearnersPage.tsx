import { Alert, Anchor, Button, Group, List, Loader, Stack, Text } from '@mantine/core';
import { CheckIcon } from '@primer/octicons-react/CheckIcon';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { useChange } from '../../api/use-change.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { Failure } from '../../components/Failure.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { invitationRoute } from '../invitation/invitation-route.ts';
import { addLearnersRoute } from './add-learners-route.ts';
import { LearnersInput } from './LearnersInput.tsx';
import { PreviewSummary } from './PreviewSummary.tsx';
import { PreviewTable } from './PreviewTable.tsx';

/** Adds learners to an invitation: reads a file, shows what each row would do, and then does it. */
export function AddLearnersPage(): ReactElement {
  const { t } = useTranslation();
  const { realm, invitation } = addLearnersRoute.useParams();
  const named = { realm, invitation: Number(invitation) };
  const { data, error, refetch } = useCall('invitations.show', named);
  const [rows, setRows] = useState<readonly string[] | null>(null);
  const title = data ? t('addLearners.titleOf', { name: data.name }) : t('addLearners.title');
  return (
    <>
      <PageHeader title={title} description={t('addLearners.description')}>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to={invitationRoute.to} params={{ realm, invitation }} {...props} />
          )}
        >
          {t('addLearners.back')}
        </Anchor>
      </PageHeader>
      {error && !data ? <Failure error={error} onRetry={refetch} /> : null}
      {data &&
        (rows === null ? (
          <LearnersInput onRead={setRows} />
        ) : (
          <Preview named={named} rows={rows} onAgain={() => setRows(null)} />
        ))}
    </>
  );
}

interface PreviewProps {
  readonly named: { readonly realm: string; readonly invitation: number };
  readonly rows: readonly string[];
  readonly onAgain: () => void;
}

type Preview = CallReply<'invitations.preview-learners'>;

function Preview({ named, rows, onAgain }: PreviewProps) {
  const { t } = useTranslation();
  const input = { ...named, learners: [...rows] };
  const { data, error, refetch } = useCall('invitations.preview-learners', input);
  const add = useChange('invitations.add-learners');
  if (add.data) return <Done messages={add.data.messages} onAgain={onAgain} />;
  if (error) return <Failure error={error} onRetry={refetch} />;
  if (!data) return <Loader aria-label={t('table.loading')} />;
  const learners = changedLearners(data);
  return (
    <Stack>
      <PreviewSummary preview={data} />
      <Group gap="sm">
        <ConfirmButton
          label={t('addLearners.add', { count: learners.length })}
          consequence={t('addLearners.consequence', {
            count: learners.length,
            seats: data.seats.reduce((sum, { change }) => sum - change, 0),
          })}
          disabled={learners.length === 0}
          isPending={add.isPending}
          onConfirm={() => add.mutateAsync({ ...named, learners })}
        />
        <Button variant="default" onClick={onAgain}>
          {t('addLearners.again')}
        </Button>
      </Group>
      {data.closed === null && <PreviewTable rows={data.items} />}
    </Stack>
  );
}

/** The learners for whom something changes. */
const changedLearners = ({ items }: Preview): string[] =>
  items
    .filter(({ outcome }) => outcome === 'joins' || outcome === 'completed')
    .map(({ learner }) => learner.trim());

interface DoneProps {
  readonly messages: readonly string[];
  readonly onAgain: () => void;
}

function Done({ messages, onAgain }: DoneProps) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Alert
        color="teal"
        variant="light"
        icon={<CheckIcon aria-hidden />}
        title={t('addLearners.done')}
        role="status"
      >
        <Text size="sm">{t('addLearners.soon')}</Text>
      </Alert>
      <List size="sm" spacing={4}>
        {messages.map((message) => (
          <List.Item key={message} style={{ overflowWrap: 'anywhere' }}>
            {message}
          </List.Item>
        ))}
      </List>
      <Group>
        <Button variant="default" onClick={onAgain}>
          {t('addLearners.more')}
        </Button>
      </Group>
    </Stack>
  );
}
