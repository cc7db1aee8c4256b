import { Alert, Button, Stack, Textarea } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FileDrop } from '../../components/FileDrop.tsx';
import { type FileProblem, fileBounds, readLearners } from './read-learners.ts';

interface Props {
  readonly onRead: (rows: readonly string[]) => void;
}

/** Takes learners from a CSV file, or as text. The browser reads them; nothing is sent yet. */
export function LearnersInput({ onRead }: Props) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<FileProblem | null>(null);
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
      <FileDrop
        label={t('addLearners.file')}
        hint={t('addLearners.fileHint', { rows: fileBounds.rows })}
        maxSize={fileBounds.bytes}
        onFile={(file) => void file.text().then(read)}
        onReject={(code) => setProblem(code === 'file-too-large' ? 'too-large' : 'malformed')}
      />
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
