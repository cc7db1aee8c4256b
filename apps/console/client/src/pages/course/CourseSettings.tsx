import { Button, Code } from '@mantine/core';
import { SlidersIcon } from '@primer/octicons-react/SlidersIcon';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { courseRoute } from './course-route.ts';

interface Props {
  readonly named: CallInput<'courses.show-settings'>;
}

type Setting = CallReply<'courses.show-settings'>['settings'][number];

/** The settings of a course. The provider has them, so they are read when somebody asks for them. */
export function CourseSettings({ named }: Props) {
  const { t } = useTranslation();
  const { settings: isOpen } = courseRoute.useSearch();
  const navigate = useNavigate({ from: courseRoute.fullPath });
  const query = useCall('courses.show-settings', named, { enabled: isOpen === true });
  const columns = useColumns();
  if (!isOpen) {
    return (
      <Button
        size="xs"
        variant="default"
        leftSection={<SlidersIcon size={14} aria-hidden />}
        onClick={() => void navigate({ search: (before) => ({ ...before, settings: true }) })}
      >
        {t('course.readSettings')}
      </Button>
    );
  }
  return (
    <DataTable
      label={t('course.settings')}
      columns={columns}
      query={{ ...query, data: query.data && { items: query.data.settings, next: null } }}
      rowKey={({ id }) => id}
      place={{}}
      onMove={() => undefined}
      empty={{ title: t('course.noSettings') }}
    />
  );
}

function useColumns() {
  const { t } = useTranslation();
  return useMemo(() => {
    const column = dataColumns<Setting>();
    return column.columns([
      column.accessor('id', { header: t('course.setting') }),
      column.accessor('value', {
        header: t('course.value'),
        cell: ({ row: { original } }) => (
          <Code style={{ overflowWrap: 'anywhere' }}>{original.value}</Code>
        ),
      }),
      column.accessor('source', { header: t('course.source'), meta: { visibleFrom: 'xs' } }),
    ]);
  }, [t]);
}
