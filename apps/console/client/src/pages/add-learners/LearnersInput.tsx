import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { Dropzone, type FileRejection } from '@mantine/dropzone';
import IconFileUpload from '@tabler/icons-react/icons/IconFileUpload';
import { type SubmitEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FileProblem, fileBounds, readLearners } from './read-learners.ts';

interface Props {
  readonly onRead: (rows: readonly string[]) => void;
}

/** Takes learners from a CSV file, or as text. The browser reads them; nothing is sent yet. */
export function LearnersInput({ onRead }: Props) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<FileProblem | null>(null);
  const openDialog = useRef<() => void>(null);
  const read = (text: string) => {
    const result = readLearners(text);
    setProblem('problem' in result ? result.problem : null);
    if ('rows' in result) onRead(result.rows);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get('learners');
    read(typeof given === 'string' ? given : '');
  };
  return (
    <Stack maw={720}>
      <Dropzone
        multiple={false}
        maxSize={fileBounds.bytes}
        onDrop={([file]: File[]) => {
          if (file) void file.text().then(read);
        }}
        onReject={([rejected]: FileRejection[]) =>
          setProblem(
            rejected?.errors.some(({ code }) => code === 'file-too-large')
              ? 'too-large'
              : 'malformed',
          )
        }
        // The button opens the dialog, so that there is one control.
        activateOnClick={false}
        activateOnKeyboard={false}
        enablePointerEvents
        openRef={openDialog}
        style={{ cursor: 'default' }}
      >
        <Group justify="center" gap="md" mih={110}>
          <IconFileUpload size={32} stroke={1.5} aria-hidden />
          <div>
            <Button variant="light" mb={6} onClick={() => openDialog.current?.()}>
              {t('addLearners.file')}
            </Button>
            <Text size="sm" c="dimmed" maw={440}>
              {t('addLearners.fileHint', { rows: fileBounds.rows })}
            </Text>
          </div>
        </Group>
      </Dropzone>
      <form onSubmit={submit}>
        <Textarea
          name="learners"
          label={t('addLearners.text')}
          description={t('addLearners.textHint')}
          minRows={4}
          maxRows={12}
          autosize
          maxLength={fileBounds.bytes}
        />
        <Button type="submit" mt="sm">
          {t('addLearners.preview')}
        </Button>
      </form>
      {problem && (
        <Alert color="red" variant="light" title={t('addLearners.unread')} role="alert">
          {t(`addLearners.problems.${problem}`, { rows: fileBounds.rows })}
        </Alert>
      )}
    </Stack>
  );
}
