import { Text } from '@mantine/core';
import { TasklistIcon } from '@primer/octicons-react/TasklistIcon';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { Age } from '../../components/Age.tsx';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { ExportMenu } from '../../components/ExportMenu.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { registrationRoute } from '../registration/registration-route.ts';
import { RegistrationFilters } from './RegistrationFilters.tsx';
import { type RegistrationsSearch, registrationsRoute } from './registrations-route.ts';
import { CompletionBadge, SuccessBadge } from './ResultBadge.tsx';

type Registration = CallReply<'registrations.list'>['items'][number];

/** The beginning of a day in the reader's zone, in UTC with whole seconds. */
const beginningOf = (day: string | undefined): string | undefined =>
  day && `${new Date(`${day}T00:00`).toISOString().slice(0, 19)}Z`;

const toInput = (realm: string, search: RegistrationsSearch): CallInput<'registrations.list'> => ({
  realm,
  learner: search.learner,
  course: search.course,
  registration: search.registration,
  complete: search.complete,
  success: search.success,
  updatedSince: beginningOf(search.updatedSince),
  createdSince: beginningOf(search.createdSince),
  includeInactive: search.inactive === true,
  includeDeleted: search.notDeleted !== true,
  sort: search.sort ?? '-id',
});

/** The registrations of a realm: filters, order, and export. */
export function RegistrationsPage(): ReactElement {
  const { t } = useTranslation();
  const { realm } = registrationsRoute.useParams();
  const search = registrationsRoute.useSearch();
  const navigate = useNavigate({ from: registrationsRoute.fullPath });
  const input = toInput(realm, search);
  const query = useCall('registrations.list', { ...input, cursor: search.cursor ?? null });
  const columns = useColumns();
  const ageSeconds = query.data?.ageSeconds ?? 0;
  return (
    <>
      <PageHeader title={t('registrations.title')} description={t('registrations.description')}>
        <ExportMenu list="registrations" input={input} hint={t('registrations.exportHint')} />
      </PageHeader>
      <RegistrationFilters />
      <DataTable
        label={t('registrations.title')}
        columns={columns}
        query={query}
        rowKey={({ id }) => `${id}`}
        place={{ sort: search.sort, cursor: search.cursor }}
        onMove={({ sort, cursor }) =>
          void navigate({
            search: (before) => ({ ...before, sort: sort as RegistrationsSearch['sort'], cursor }),
          })
        }
        onOpen={({ registration_guid: registration }) =>
          void navigate({ to: registrationRoute.to, params: { realm, registration } })
        }
        empty={{
          title: t('registrations.empty'),
          description: t('registrations.emptyDescription'),
          icon: <TasklistIcon size={24} aria-hidden />,
        }}
      />
      {ageSeconds > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('registrations.old', { count: ageSeconds })}
        </Text>
      )}
    </>
  );
}

function useColumns() {
  const { t } = useTranslation();
  return useMemo(() => {
    const column = dataColumns<Registration>();
    return column.columns([
      column.accessor('learner_id', {
        header: t('registrations.learner'),
        cell: ({ row: { original } }) => (
          <Text span inherit style={{ overflowWrap: 'anywhere' }}>
            {original.learner_id}
          </Text>
        ),
      }),
      column.accessor('course_guid', {
        header: t('registrations.course'),
        meta: { visibleFrom: 'sm' },
        cell: ({ row: { original } }) => (
          <Text size="sm" lineClamp={1} maw={320} style={{ wordBreak: 'break-all' }}>
            {original.course_guid}
          </Text>
        ),
      }),
      column.accessor('complete', {
        header: t('registrations.complete'),
        cell: ({ row: { original } }) => <CompletionBadge value={original.complete} />,
      }),
      column.accessor('success', {
        header: t('registrations.succeeded'),
        meta: { visibleFrom: 'xs' },
        cell: ({ row: { original } }) => <SuccessBadge value={original.success} />,
      }),
      column.accessor('score', {
        header: t('registrations.score'),
        meta: { align: 'right', visibleFrom: 'md' },
        cell: ({ row: { original } }) => original.score ?? '–',
      }),
      column.accessor('launched_at', {
        header: t('registrations.launched'),
        meta: { visibleFrom: 'lg' },
        cell: ({ row: { original } }) =>
          original.launched_at === null ? '–' : <Age since={original.launched_at} />,
      }),
      column.accessor('updated_at', {
        header: t('registrations.updated'),
        enableSorting: true,
        meta: { visibleFrom: 'md' },
        cell: ({ row: { original } }) => <Age since={original.updated_at} />,
      }),
      column.accessor('id', {
        header: t('registrations.created'),
        enableSorting: true,
        meta: { visibleFrom: 'lg' },
        cell: ({ row: { original } }) => <Age since={original.created_at} />,
      }),
    ]);
  }, [t]);
}
