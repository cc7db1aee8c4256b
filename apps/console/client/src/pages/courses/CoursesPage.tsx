import { Button, Text } from '@mantine/core';
import { BookIcon } from '@primer/octicons-react/BookIcon';
import { UploadIcon } from '@primer/octicons-react/UploadIcon';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { maySee, useSession } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { Age } from '../../components/Age.tsx';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { SearchForm } from '../../components/SearchForm.tsx';
import { courseRoute } from '../course/course-route.ts';
import { uploadCourseRoute } from '../upload-course/upload-course-route.ts';
import { coursesRoute } from './courses-route.ts';

type Course = CallReply<'courses.list'>['items'][number];

/** The courses of a realm. */
export function CoursesPage(): ReactElement {
  const { t } = useTranslation();
  const { realm } = coursesRoute.useParams();
  const { title, course, cursor } = coursesRoute.useSearch();
  const navigate = useNavigate({ from: coursesRoute.fullPath });
  const query = useCall('courses.list', { realm, title, course, cursor: cursor ?? null });
  const session = useSession();
  const columns = useColumns();
  return (
    <>
      <PageHeader title={t('courses.title')} description={t('courses.description')}>
        {maySee(session, 'author', realm) && (
          <Button
            size="xs"
            leftSection={<UploadIcon size={14} aria-hidden />}
            renderRoot={(props) => <Link to={uploadCourseRoute.to} params={{ realm }} {...props} />}
          >
            {t('uploadCourse.title')}
          </Button>
        )}
      </PageHeader>
      <SearchForm
        fields={[
          {
            name: 'title',
            label: t('courses.name'),
            placeholder: t('courses.nameHint'),
            value: title,
            maxLength: 100,
          },
          {
            name: 'course',
            label: t('registrations.courseGuid'),
            value: course,
            maxLength: 255,
          },
        ]}
        onSearch={(search) => void navigate({ search })}
      />
      <DataTable
        label={t('courses.title')}
        columns={columns}
        query={query}
        rowKey={({ id }) => `${id}`}
        place={{ cursor }}
        onMove={(place) =>
          void navigate({ search: (before) => ({ ...before, cursor: place.cursor }) })
        }
        onOpen={({ course_guid }) =>
          void navigate({ to: courseRoute.to, params: { realm, course: course_guid } })
        }
        empty={{
          title: t('courses.empty'),
          description: t('courses.emptyDescription'),
          icon: <BookIcon size={24} aria-hidden />,
        }}
      />
    </>
  );
}

function useColumns() {
  const { t, i18n } = useTranslation();
  return useMemo(() => {
    const format = new Intl.NumberFormat(i18n.language);
    const column = dataColumns<Course>();
    return column.columns([
      column.accessor('title', {
        header: t('courses.name'),
        cell: ({ row: { original } }) => (
          <Text span inherit style={{ overflowWrap: 'anywhere' }}>
            {original.title || original.course_guid}
          </Text>
        ),
      }),
      column.accessor('course_guid', {
        header: t('registrations.courseGuid'),
        meta: { visibleFrom: 'md' },
        cell: ({ row: { original } }) => (
          <Text size="sm" lineClamp={1} maw={320} style={{ wordBreak: 'break-all' }}>
            {original.course_guid}
          </Text>
        ),
      }),
      column.accessor('versions', {
        header: t('courses.versions'),
        meta: { align: 'right', visibleFrom: 'xs' },
        cell: ({ row: { original } }) => format.format(original.versions),
      }),
      column.accessor('registrations', {
        header: t('registrations.title'),
        meta: { align: 'right' },
        cell: ({ row: { original } }) => format.format(original.registrations),
      }),
      column.accessor('updated_at', {
        header: t('registrations.updated'),
        meta: { visibleFrom: 'sm' },
        cell: ({ row: { original } }) => <Age since={original.updated_at} />,
      }),
    ]);
  }, [t, i18n.language]);
}
