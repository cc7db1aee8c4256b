import { Anchor } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { Age } from '../../components/Age.tsx';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { registrationRoute } from '../registration/registration-route.ts';
import { useRefetchOn } from '../registration/use-refetch-on.ts';
import { registrationsRoute } from '../registrations/registrations-route.ts';
import { CompletionBadge, SuccessBadge } from '../registrations/ResultBadge.tsx';
import { courseRoute } from './course-route.ts';

interface Props {
  readonly named: CallInput<'courses.show'>;
  /** The number of registrations: they are read again when it changes. */
  readonly version: number;
}

type Registration = CallReply<'registrations.list'>['items'][number];

/** The newest registrations of a course, and the way to all. */
export function CourseRegistrations({ named: { realm, course }, version }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: courseRoute.fullPath });
  const query = useCall('registrations.list', { realm, course, sort: '-id', limit: 10 });
  useRefetchOn(version, query.refetch);
  const columns = useColumns();
  const newest = query.data && { items: query.data.items, next: null };
  return (
    <>
      <DataTable
        label={t('course.newest')}
        columns={columns}
        query={{ ...query, data: newest }}
        rowKey={({ id }) => `${id}`}
        place={{}}
        onMove={() => undefined}
        onOpen={({ registration_guid: registration }) =>
          void navigate({ to: registrationRoute.to, params: { realm, registration } })
        }
        empty={{ title: t('registrations.empty') }}
      />
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to={registrationsRoute.to} params={{ realm }} search={{ course }} {...props} />
        )}
      >
        {t('course.allRegistrations')}
      </Anchor>
    </>
  );
}

function useColumns() {
  const { t } = useTranslation();
  return useMemo(() => {
    const column = dataColumns<Registration>();
    return column.columns([
      column.accessor('learner_id', { header: t('registrations.learner') }),
      column.accessor('complete', {
        header: t('registrations.complete'),
        meta: { visibleFrom: 'xs' },
        cell: ({ row: { original } }) => <CompletionBadge value={original.complete} />,
      }),
      column.accessor('success', {
        header: t('registrations.succeeded'),
        meta: { visibleFrom: 'sm' },
        cell: ({ row: { original } }) => <SuccessBadge value={original.success} />,
      }),
      column.accessor('launched_at', {
        header: t('registrations.launched'),
        cell: ({ row: { original } }) =>
          original.launched_at === null ? '–' : <Age since={original.launched_at} />,
      }),
    ]);
  }, [t]);
}
