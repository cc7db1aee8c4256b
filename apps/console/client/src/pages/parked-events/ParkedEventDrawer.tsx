import { Code, DataList, Drawer, Group, Loader, Stack, Text } from '@mantine/core';
import { SyncIcon } from '@primer/octicons-react/SyncIcon';
import { TrashIcon } from '@primer/octicons-react/TrashIcon';
import { useTranslation } from 'react-i18next';
import type { CallInput, CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { useChange } from '../../api/use-change.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { Failure } from '../../components/Failure.tsx';
import { Time } from '../../components/Time.tsx';

type EventKey = CallInput<'parked-events.inspect'>;

interface Props {
  /** The event, as `APP/ID`; none when the drawer is closed. */
  readonly open: string | undefined;
  readonly onClose: () => void;
}

const keyFrom = (open: string): EventKey => {
  const [context, id] = open.split('/');
  return { context, id } as EventKey;
};

/** A parked event with its content, and what can be done with it. */
export function ParkedEventDrawer({ open, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={open !== undefined}
      onClose={onClose}
      title={t('parkedEvents.inspect')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {open !== undefined && <Inspected event={keyFrom(open)} onClose={onClose} />}
    </Drawer>
  );
}

function Inspected({ event, onClose }: { readonly event: EventKey; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const replay = useChange('parked-events.replay', { done: () => t('parkedEvents.replayed') });
  const discard = useChange('parked-events.discard', { done: () => t('parkedEvents.discarded') });
  // Of an event that is gone, there is nothing to inspect.
  const enabled = [replay, discard].every(({ status }) => status === 'idle' || status === 'error');
  const { data, error, refetch } = useCall('parked-events.inspect', event, { enabled });
  if (error) return <Failure error={error} onRetry={refetch} />;
  if (!data) return <Loader aria-label={t('table.loading')} />;
  const isReceived = data.id.startsWith('in-');
  return (
    <Stack>
      <Group gap="sm">
        <ConfirmButton
          label={t('parkedEvents.replay')}
          leftSection={<SyncIcon size={16} aria-hidden />}
          consequence={t(
            isReceived ? 'parkedEvents.replayReceived' : 'parkedEvents.replayOutgoing',
            { app: data.context },
          )}
          isPending={replay.isPending}
          onConfirm={() => replay.mutateAsync(event).then(onClose)}
        />
        <ConfirmButton
          label={t('parkedEvents.discard')}
          color="red"
          variant="outline"
          leftSection={<TrashIcon size={16} aria-hidden />}
          consequence={t(
            isReceived ? 'parkedEvents.discardReceived' : 'parkedEvents.discardOutgoing',
            { app: data.context },
          )}
          isPending={discard.isPending}
          onConfirm={() => discard.mutateAsync(event).then(onClose)}
        />
      </Group>
      <DataList>
        <Row label={t('parkedEvents.event')}>{data.event ?? t('parkedEvents.noEvent')}</Row>
        <Row label={t('parkedEvents.app')}>{data.context}</Row>
        <Row label={t('parkedEvents.id')}>{data.id}</Row>
        <Row label={t('parkedEvents.attempts')}>{data.attempts}</Row>
        <Row label={t('parkedEvents.parkedAt')}>
          <Time at={data.parked_at} />
        </Row>
        <Row label={t('parkedEvents.reason')}>{data.reason}</Row>
      </DataList>
      <div>
        <Text size="sm" c="dimmed" mb={4}>
          {t('parkedEvents.content')}
        </Text>
        <Code block tabIndex={0} mah="50vh" style={{ overflow: 'auto' }}>
          {readable(data)}
        </Code>
        <Text size="xs" c="dimmed" mt={4}>
          {t('parkedEvents.personalData')}
        </Text>
      </div>
    </Stack>
  );
}

const Row = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: React.ReactNode;
}) => (
  <DataList.Item>
    <DataList.ItemLabel>{label}</DataList.ItemLabel>
    <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{children}</DataList.ItemValue>
  </DataList.Item>
);

/** JSON with indentation; what is not JSON as it is. */
function readable({ message, encoding }: CallReply<'parked-events.inspect'>): string {
  if (encoding === 'base64') return message;
  try {
    return JSON.stringify(JSON.parse(message), null, 2);
  } catch {
    return message;
  }
}
