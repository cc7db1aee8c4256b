import { Button, Grid } from '@mantine/core';
import { UploadIcon } from '@primer/octicons-react/UploadIcon';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { maySee, useSession } from '../../api/session.ts';
import { useLiveCall } from '../../api/use-live-call.ts';
import { LiveBadge } from '../../components/LiveBadge.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { Section } from '../../components/Section.tsx';
import { Unloaded } from '../../components/Unloaded.tsx';
import { uploadCourseRoute } from '../upload-course/upload-course-route.ts';
import { courseRoute } from './course-route.ts';
import { CourseFacts } from './CourseFacts.tsx';
import { CourseRegistrations } from './CourseRegistrations.tsx';
import { CourseSettings } from './CourseSettings.tsx';
import { CourseUse } from './CourseUse.tsx';
import { CourseVersions } from './CourseVersions.tsx';
import { DeleteCourse } from './DeleteCourse.tsx';
import { PreviewCourse } from './PreviewCourse.tsx';

/** One course: what it is, who is registered for it, and its settings at the provider. */
export function CoursePage(): ReactElement {
  const { t } = useTranslation();
  const { realm, course } = courseRoute.useParams();
  const named = { realm, course };
  const query = useLiveCall('courses.show', named);
  const session = useSession();
  const { data } = query;
  if (!data) {
    return <Unloaded title={t('course.title')} error={query.error} onRetry={query.refetch} />;
  }
  const mayChange = maySee(session, 'author', realm);
  return (
    <>
      <PageHeader
        title={data.title || data.course_guid}
        {...(data.described.description && { description: data.described.description })}
      >
        <LiveBadge {...query.liveness} />
        {mayChange && (
          <>
            <Button
              size="xs"
              variant="default"
              leftSection={<UploadIcon size={14} aria-hidden />}
              renderRoot={(props) => (
                <Link to={uploadCourseRoute.to} params={{ realm }} search={{ course }} {...props} />
              )}
            >
              {t('uploadCourse.versionTitle')}
            </Button>
            <PreviewCourse named={named} />
            <DeleteCourse named={named} course={data} />
          </>
        )}
      </PageHeader>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Section title={t('registration.facts')}>
            <CourseFacts course={data} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Section title={t('registrations.title')}>
            <CourseRegistrations named={named} version={data.registrations} />
          </Section>
        </Grid.Col>
        <Grid.Col span={12}>
          <Section title={t('course.use')}>
            <CourseUse named={named} version={data.registrations} />
          </Section>
        </Grid.Col>
        {mayChange && (
          <>
            <Grid.Col span={{ base: 12, lg: 6 }}>
              <Section title={t('courses.versions')}>
                <CourseVersions named={named} />
              </Section>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 6 }}>
              <Section title={t('course.settings')}>
                <CourseSettings named={named} />
              </Section>
            </Grid.Col>
          </>
        )}
      </Grid>
    </>
  );
}
