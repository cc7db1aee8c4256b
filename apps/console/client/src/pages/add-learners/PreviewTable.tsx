import { Badge, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';

type Row = CallReply<'invitations.preview-learners'>['items'][number];

interface Props {
  readonly rows: readonly Row[];
}

const colors: Readonly<Record<Row['outcome'], string>> = {
  joins: 'teal',
  completed: 'teal',
  member: 'gray',
  repeated: 'gray',
  malformed: 'red',
};

/** What each row of the file would do. */
export function PreviewTable({ rows }: Props) {
  const { t } = useTranslation();
  return (
    <Table.ScrollContainer
      minWidth={320}
      type="native"
      mah="60vh"
      tabIndex={0}
      role="region"
      aria-label={t('addLearners.rows')}
    >
      <Table aria-label={t('addLearners.rows')} verticalSpacing={4} stickyHeader tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th ta="right">{t('addLearners.row')}</Table.Th>
            <Table.Th>{t('registrations.learner')}</Table.Th>
            <Table.Th>{t('addLearners.outcome')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, place) => (
            <Table.Tr key={place}>
              <Table.Td ta="right">{place + 1}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{row.learner}</Table.Td>
              <Table.Td>
                <Badge variant="dot" color={colors[row.outcome]} tt="none" fw={500}>
                  {t(`addLearners.outcomes.${row.outcome}`)}
                </Badge>
                <RowDetails row={row} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function RowDetails({ row }: { readonly row: Row }) {
  const { t } = useTranslation();
  const named = (titles: readonly string[], count: number) =>
    titles.join(', ') + (count > titles.length ? ` + ${count - titles.length}` : '');
  const texts = [
    row.created > 0 && t('addLearners.created', { count: row.created }),
    row.assigned > 0 && t('addLearners.assigned', { count: row.assigned }),
    row.withoutSeatCount > 0 &&
      t('addLearners.withoutSeat', { courses: named(row.withoutSeat, row.withoutSeatCount) }),
    row.deletedCoursesCount > 0 &&
      t('addLearners.deletedCourses', {
        courses: named(row.deletedCourses, row.deletedCoursesCount),
      }),
  ].filter((each) => each !== false);
  return texts.map((text) => (
    <Text key={text} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  ));
}
