import { Alert, Button, Group, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { FileZipIcon } from '@primer/octicons-react/FileZipIcon';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CourseUpload } from '../../api/upload-course.ts';
import { useCall } from '../../api/use-call.ts';
import { Failure } from '../../components/Failure.tsx';
import { FileDrop } from '../../components/FileDrop.tsx';
import { formatBytes } from '../../components/format-bytes.ts';
import { submittedText } from '../../components/submitted-text.ts';

/** What packages are, for the dialog of the browser; Windows has a type of its own. */
const zipFiles = { 'application/zip': ['.zip'], 'application/x-zip-compressed': ['.zip'] };

interface Props {
  readonly realm: string;
  /** The course that gets a new version; undefined for a new course. */
  readonly versionOf: string | undefined;
  readonly onSubmit: (given: Omit<CourseUpload, 'realm' | 'versionOf'>, file: File) => void;
}

/** Takes a package, and what a new course is called. */
export function UploadForm({ realm, versionOf, onSubmit }: Props) {
  const { t, i18n } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const [isRejected, setIsRejected] = useState(false);
  const isNew = versionOf === undefined;
  const applications = useCall('courses.list-applications', { realm }, { enabled: isNew });
  const choices = applications.data?.items ?? [];
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!file) return;
    const textOf = (name: string) => submittedText(event.currentTarget, name);
    const [title, course, application] = ['title', 'course', 'application'].map(textOf);
    onSubmit({ title, course, application }, file);
  };
  return (
    <form onSubmit={submit}>
      <FileDrop
        label={t('uploadCourse.file')}
        hint={t('uploadCourse.fileHint')}
        accept={zipFiles}
        onFile={(given) => {
          setFile(given);
          setIsRejected(false);
        }}
        onReject={() => setIsRejected(true)}
      />
      {isRejected && (
        <Alert color="red" variant="light" title={t('uploadCourse.notTaken')} role="alert" mt="sm">
          {t('uploadCourse.notZip')}
        </Alert>
      )}
      {file && (
        <Group gap="xs" mt="sm" wrap="nowrap" role="status">
          <FileZipIcon size={20} aria-hidden />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('uploadCourse.chosen', {
              name: file.name,
              size: formatBytes(file.size, i18n.language),
            })}
          </Text>
        </Group>
      )}
      {isNew && applications.error && (
        <Failure error={applications.error} onRetry={applications.refetch} />
      )}
      {isNew && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="sm">
          <TextInput
            name="title"
            label={t('uploadCourse.name')}
            description={t('uploadCourse.nameHint')}
            maxLength={255}
          />
          <TextInput
            name="course"
            label={t('registrations.courseGuid')}
            description={t('uploadCourse.guidHint')}
            maxLength={255}
          />
          {choices.length > 1 && (
            <Select
              name="application"
              label={t('course.application')}
              required
              searchable
              data={choices.map(({ id, name }) => ({ value: `${id}`, label: name }))}
            />
          )}
        </SimpleGrid>
      )}
      <Button type="submit" mt="md" disabled={file === null}>
        {t('uploadCourse.submit')}
      </Button>
    </form>
  );
}
