import { Button, Group, Text, TextInput } from '@mantine/core';
import IconBookOff from '@tabler/icons-react/icons/IconBookOff';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, type SubmitEvent, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { Age } from '../../components/Age.tsx';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { courseRoute } from '../course/course-route.ts';
import { coursesRoute } from './courses-route.ts';

type Course = CallReply<'courses.list'>['items'][number];

/** The courses of a realm. */
export function CoursesPage(): ReactElement {
  const { t } = useTranslation();
  const { realm } = coursesRoute.useParams();
  const { title, course, cursor } = coursesRoute.useSearch();
  const navigate = useNavigate({ from: coursesRoute.fullPath });
  const query = useCall('courses.list', { realm, title, course, cursor: cursor ?? null });
  const columns = useColumns();
  return (
    <>
      <PageHeader title={t('courses.title')} description={t('courses.description')} />
      <CourseSearch key={JSON.stringify([title, course])} />
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
          icon: <IconBookOff aria-hidden />,
        }}
      />
    </>
  );
}

/** The search, which the address holds. */
function CourseSearch() {
  const { t } = useTranslation();
  const { title, course } = coursesRoute.useSearch();
  const navigate = useNavigate({ from: coursesRoute.fullPath });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const textOf = (name: string) => {
      const value = given.get(name);
      return typeof value === 'string' && value.trim() ? value.trim() : undefined;
    };
    void navigate({ search: { title: textOf('title'), course: textOf('course') } });
  };
  return (
    <form role="search" onSubmit={submit}>
      <Group mb="sm" align="flex-end" gap="xs">
        <TextInput
          size="xs"
          name="title"
          label={t('courses.name')}
          placeholder={t('courses.nameHint')}
          defaultValue={title}
          maxLength={100}
          w={{ base: '100%', xs: 220 }}
        />
        <TextInput
          size="xs"
          name="course"
          label={t('registrations.courseGuid')}
          defaultValue={course}
          maxLength={255}
          w={{ base: '100%', xs: 220 }}
        />
        <Button type="submit" size="xs" leftSection={<IconSearch size={14} aria-hidden />}>
          {t('registrations.search')}
        </Button>
        {(title ?? course) !== undefined && (
          <Button size="xs" variant="default" onClick={() => void navigate({ search: {} })}>
            {t('registrations.clear')}
          </Button>
        )}
      </Group>
    </form>
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
