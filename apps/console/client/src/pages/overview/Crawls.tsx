import { Group, Paper, Progress, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { Failure } from '../../components/Failure.tsx';
import { formatDuration } from '../../components/format-duration.ts';

type Reply = CallReply<'overview.crawls'>;

interface Props {
  readonly query: {
    readonly data: Reply | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
}

/** How the crawls of provider applications stand: shares of all, and those that need attention. */
export function Crawls({ query: { data, error, refetch } }: Props) {
  const { t, i18n } = useTranslation();
  return (
    <section aria-labelledby="crawls">
      <Title order={2} id="crawls" mb="xs">
        {t('overview.crawls')}
      </Title>
      {error && !data ? <Failure error={error} onRetry={refetch} /> : null}
      {!data && !error && <Skeleton h={64} />}
      {data && (
        <Paper withBorder p="sm" radius="sm">
          <Stack gap="sm">
            <Shares crawls={data} />
            {data.worst.length > 0 && (
              <Table.ScrollContainer minWidth={320} type="native">
                <Table verticalSpacing={6} tabularNums aria-label={t('overview.worst')}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{t('overview.application')}</Table.Th>
                      <Table.Th>{t('overview.state')}</Table.Th>
                      <Table.Th ta="right">{t('overview.lateness')}</Table.Th>
                      <Table.Th>{t('overview.error')}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {data.worst.map(({ application, state, lateSeconds, error: reason }) => (
                      <Table.Tr key={application}>
                        <Table.Td>{application}</Table.Td>
                        <Table.Td>{state}</Table.Td>
                        <Table.Td ta="right">{formatDuration(lateSeconds, i18n.language)}</Table.Td>
                        <Table.Td>{reason ?? '–'}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            )}
          </Stack>
        </Paper>
      )}
    </section>
  );
}

/** A bar with the shares, and their numbers as its legend. */
function Shares({ crawls }: { readonly crawls: Reply }) {
  const { t } = useTranslation();
  const { applications, late, failing, paused, hasMore } = crawls;
  const troubled = Math.min(applications, late + failing + paused);
  const shares = [
    { name: t('overview.inTime'), count: applications - troubled, color: 'teal' },
    { name: t('overview.late'), count: late, color: 'yellow' },
    { name: t('overview.failing'), count: failing, color: 'red' },
    { name: t('overview.paused'), count: paused, color: 'gray' },
  ].filter(({ count }) => count > 0);
  if (applications === 0) return <Text size="sm">{t('overview.noApplications')}</Text>;
  return (
    <>
      <Progress.Root size="lg" aria-hidden>
        {shares.map(({ name, count, color }) => (
          <Progress.Section
            key={name}
            value={(100 * count) / applications}
            color={color}
            withAria={false}
          />
        ))}
      </Progress.Root>
      <Group gap="md">
        {shares.map(({ name, count }) => (
          <Text key={name} size="sm">
            <b>{count}</b> {name}
          </Text>
        ))}
        {hasMore && (
          <Text size="sm" c="dimmed">
            {t('overview.firstOnly', { count: applications })}
          </Text>
        )}
      </Group>
    </>
  );
}
