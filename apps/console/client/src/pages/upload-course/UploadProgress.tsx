import { Button, Group, Paper, Progress, Text } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { UploadState } from '../../api/upload-course.ts';
import { formatBytes } from '../../components/format-bytes.ts';

interface Props {
  readonly file: File;
  readonly state: Extract<UploadState, { readonly stage: string }>;
  readonly onCancel: () => void;
}

/** How far an upload is. Once the import has begun, it cannot be cancelled any more. */
export function UploadProgress({ file, state, onCancel }: Props) {
  const { t, i18n } = useTranslation();
  const isStill = useReducedMotion();
  const size = (bytes: number) => formatBytes(bytes, i18n.language);
  const isSending = state.stage === 'sending';
  // The bytes of the request are a little more than those of the file.
  const sent = isSending ? Math.min(state.sent, file.size) : file.size;
  return (
    <Paper withBorder p="md">
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {file.name}
      </Text>
      <Progress.Root size="lg" my="sm">
        <Progress.Section
          value={(100 * sent) / file.size}
          striped={!isSending}
          animated={!isSending && !isStill}
          aria-label={t('uploadCourse.progress', { name: file.name })}
        />
      </Progress.Root>
      <Group justify="space-between" gap="sm">
        <div>
          <Text size="sm" role="status">
            {t(`uploadCourse.stages.${state.stage}`)}
          </Text>
          <Text size="sm" c="dimmed">
            {t('uploadCourse.sent', { sent: size(sent), total: size(file.size) })}
          </Text>
        </div>
        {state.stage !== 'importing' && (
          <Button variant="default" onClick={onCancel}>
            {t('uploadCourse.cancel')}
          </Button>
        )}
      </Group>
    </Paper>
  );
}
