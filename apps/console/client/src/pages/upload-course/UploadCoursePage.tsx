import { Alert, Anchor, Button, Group, Stack } from '@mantine/core';
import { CheckIcon } from '@primer/octicons-react/CheckIcon';
import { Link, useBlocker } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { UploadState } from '../../api/upload-course.ts';
import { Failure } from '../../components/Failure.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { courseRoute } from '../course/course-route.ts';
import { coursesRoute } from '../courses/courses-route.ts';
import { FindingList } from './FindingList.tsx';
import { uploadCourseRoute } from './upload-course-route.ts';
import { UploadForm } from './UploadForm.tsx';
import { UploadProgress } from './UploadProgress.tsx';
import { useUpload } from './use-upload.ts';

/** Uploads a package: as a new course, or as the next version of one. */
export function UploadCoursePage(): ReactElement {
  const { t } = useTranslation();
  const { realm } = uploadCourseRoute.useParams();
  const { course } = uploadCourseRoute.useSearch();
  const { upload, start, reset } = useUpload();
  const isRunning = upload !== null && 'stage' in upload.state;
  // The browser asks before it closes the window.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: isRunning });
  const title = course === undefined ? t('uploadCourse.title') : t('uploadCourse.versionTitle');
  return (
    <>
      <PageHeader
        title={title}
        description={
          course === undefined
            ? t('uploadCourse.description')
            : t('uploadCourse.versionDescription', { course })
        }
      >
        <Anchor
          size="sm"
          renderRoot={(props) =>
            course === undefined ? (
              <Link to={coursesRoute.to} params={{ realm }} {...props} />
            ) : (
              <Link to={courseRoute.to} params={{ realm, course }} {...props} />
            )
          }
        >
          {course === undefined ? t('uploadCourse.toCourses') : t('uploadCourse.toCourse')}
        </Anchor>
      </PageHeader>
      <Stack maw={720}>
        {upload === null && (
          <UploadForm
            realm={realm}
            versionOf={course}
            onSubmit={(given, file) => start({ realm, versionOf: course, ...given }, file)}
          />
        )}
        {upload !== null && 'stage' in upload.state && (
          <UploadProgress file={upload.file} state={upload.state} onCancel={reset} />
        )}
        {upload !== null && !('stage' in upload.state) && (
          <UploadEnd
            realm={realm}
            isVersion={course !== undefined}
            end={upload.state}
            onAgain={reset}
          />
        )}
      </Stack>
    </>
  );
}

interface EndProps {
  readonly realm: string;
  /** Whether the package was for a course that exists. */
  readonly isVersion: boolean;
  readonly end: Exclude<UploadState, { readonly stage: string }>;
  readonly onAgain: () => void;
}

/** How an upload has ended, with what was found in the package. */
function UploadEnd({ realm, isVersion, end, onAgain }: EndProps) {
  const { t } = useTranslation();
  const course = 'course' in end ? end.course : null;
  return (
    <>
      {'error' in end && <Failure title={t('uploadCourse.failed')} error={end.error} />}
      {course && (
        <Alert
          color="teal"
          variant="light"
          icon={<CheckIcon aria-hidden />}
          title={t('uploadCourse.done', { title: course.title || course.guid })}
          role="status"
        >
          {isVersion && t('uploadCourse.newest')}
        </Alert>
      )}
      <Group gap="sm">
        {course && (
          <Button
            renderRoot={(props) => (
              <Link to={courseRoute.to} params={{ realm, course: course.guid }} {...props} />
            )}
          >
            {t('uploadCourse.open')}
          </Button>
        )}
        <Button variant="default" onClick={onAgain}>
          {course ? t('uploadCourse.more') : t('uploadCourse.again')}
        </Button>
      </Group>
      {(course !== null || end.findings !== null) && <FindingList findings={end.findings} />}
    </>
  );
}
