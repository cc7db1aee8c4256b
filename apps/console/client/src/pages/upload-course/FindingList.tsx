import { Badge, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Findings } from '../../api/upload-course.ts';

const colors = { error: 'red', warning: 'orange', info: 'blue' } as const;

type Finding = NonNullable<Findings>[number];

/** What was found in a package, errors first. The texts are those of the server. */
export function FindingList({ findings }: { readonly findings: Findings }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="findings">
      <Title order={2} size="h5" mb="xs" id="findings">
        {t('uploadCourse.findings')}
      </Title>
      {findings === null && <Text size="sm">{t('uploadCourse.notChecked')}</Text>}
      {findings?.length === 0 && <Text size="sm">{t('uploadCourse.noFindings')}</Text>}
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {findings?.map((finding, place) => (
          <FindingItem key={place} finding={finding} />
        ))}
      </Stack>
    </section>
  );
}

function FindingItem({ finding }: { readonly finding: Finding }) {
  const { t } = useTranslation();
  const { severity, file, line, rule, message, remedy } = finding;
  return (
    <Paper component="li" withBorder p="sm" style={{ overflowWrap: 'anywhere' }}>
      <Group gap="xs" mb={4}>
        <Badge variant="dot" color={colors[severity]} tt="none">
          {t(`uploadCourse.severities.${severity}`)}
        </Badge>
        <Code>{rule}</Code>
        {file !== null && (
          <Text size="xs" c="dimmed">
            {line === null ? file : t('uploadCourse.place', { file, line })}
          </Text>
        )}
      </Group>
      <Text size="sm">{message}</Text>
      <Text size="sm" c="dimmed">
        {remedy}
      </Text>
    </Paper>
  );
}
