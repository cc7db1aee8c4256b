import { Alert, List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';

interface Props {
  readonly preview: CallReply<'invitations.preview-learners'>;
}

const outcomes = ['joins', 'completed', 'member', 'repeated', 'malformed'] as const;

/** How many rows have which outcome, and the seats that are free afterwards. */
export function PreviewSummary({ preview }: Props) {
  const { t } = useTranslation();
  if (preview.closed !== null) {
    return (
      <Alert color="orange" variant="light" title={t('addLearners.closedTitle')} role="status">
        {t(`addLearners.closed.${preview.closed}`)}
      </Alert>
    );
  }
  const counts = outcomes.map((outcome) => ({
    outcome,
    count: preview.items.filter((item) => item.outcome === outcome).length,
  }));
  const withoutSeat = preview.items.filter((item) => item.withoutSeatCount > 0).length;
  return (
    <Alert
      color={withoutSeat > 0 ? 'orange' : 'blue'}
      variant="light"
      title={t('addLearners.nothingYet')}
      role="status"
    >
      <List size="sm">
        {counts
          .filter(({ count }) => count > 0)
          .map(({ outcome, count }) => (
            <List.Item key={outcome}>{t(`addLearners.counts.${outcome}`, { count })}</List.Item>
          ))}
        {withoutSeat > 0 && (
          <List.Item>{t('addLearners.counts.withoutSeat', { count: withoutSeat })}</List.Item>
        )}
      </List>
      {preview.seats.map(({ course_guid, title, free, change }) => (
        <Text key={course_guid} size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {t('addLearners.seats', { title, free, left: free + change })}
        </Text>
      ))}
    </Alert>
  );
}
