import { Button } from '@mantine/core';
import { HistoryIcon } from '@primer/octicons-react/HistoryIcon';
import { TrashIcon } from '@primer/octicons-react/TrashIcon';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { useChange } from '../../api/use-change.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { Time } from '../../components/Time.tsx';
import { courseRoute } from './course-route.ts';

interface Props {
  readonly named: CallInput<'courses.list-versions'>;
}

type Version = CallReply<'courses.list-versions'>['versions'][number];

/** The versions of a course. The provider has them, so they are read when somebody asks for them. */
export function CourseVersions({ named }: Props) {
  const { t } = useTranslation();
  const { versions: isOpen } = courseRoute.useSearch();
  const navigate = useNavigate({ from: courseRoute.fullPath });
  const query = useCall('courses.list-versions', named, { enabled: isOpen === true });
  const items = query.data?.versions;
  const columns = useColumns(named, items !== undefined && items.length > 1);
  if (!isOpen) {
    return (
      <Button
        size="xs"
        variant="default"
        leftSection={<HistoryIcon size={14} aria-hidden />}
        onClick={() => void navigate({ search: (before) => ({ ...before, versions: true }) })}
      >
        {t('course.readVersions')}
      </Button>
    );
  }
  return (
    <DataTable
      label={t('courses.versions')}
      columns={columns}
      query={{ ...query, data: items && { items, next: null } }}
      rowKey={({ version }) => `${version}`}
      place={{}}
      onMove={() => undefined}
      empty={{ title: t('course.noVersions') }}
    />
  );
}

function useColumns(named: Props['named'], mayDelete: boolean) {
  const { t, i18n } = useTranslation();
  return useMemo(() => {
    const number = new Intl.NumberFormat(i18n.language);
    const column = dataColumns<Version>();
    return column.columns([
      column.accessor('version', { header: t('course.version') }),
      column.accessor('title', { header: t('courses.name'), meta: { visibleFrom: 'xs' } }),
      column.accessor('created_at', {
        header: t('course.imported'),
        cell: ({ row: { original } }) =>
          original.created_at === null ? '–' : <Time at={original.created_at} />,
      }),
      column.accessor('registrations', {
        header: t('registrations.title'),
        meta: { align: 'right' },
        cell: ({ row: { original } }) =>
          original.registrations === null ? '–' : number.format(original.registrations),
      }),
      ...(mayDelete
        ? [
            column.display({
              id: 'delete',
              header: () => <span className="visually-hidden">{t('course.delete')}</span>,
              meta: { align: 'right' },
              cell: ({ row: { original } }) => <DeleteVersion named={named} version={original} />,
            }),
          ]
        : []),
    ]);
  }, [t, i18n.language, named, mayDelete]);
}

interface DeleteProps extends Props {
  readonly version: Version;
}

function DeleteVersion({ named, version: { version, registrations } }: DeleteProps) {
  const { t, i18n } = useTranslation();
  const deletion = useChange('courses.delete-version', {
    done: () => t('course.versionDeleted', { version }),
  });
  const consequence =
    registrations === null
      ? t('course.deleteVersionUnknown', { version })
      : t('course.deleteVersionConsequence', {
          version,
          count: registrations,
          number: new Intl.NumberFormat(i18n.language).format(registrations),
        });
  return (
    <ConfirmButton
      size="compact-xs"
      variant="default"
      color="red"
      label={t('course.deleteVersion', { version })}
      leftSection={<TrashIcon size={14} aria-hidden />}
      consequence={consequence}
      isPending={deletion.isPending}
      onConfirm={() => deletion.mutateAsync({ ...named, version })}
    />
  );
}
