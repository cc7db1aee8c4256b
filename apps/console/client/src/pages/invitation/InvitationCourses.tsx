import { Badge, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { SeatBar } from '../invitations/SeatBar.tsx';
import { useRefetchOn } from '../registration/use-refetch-on.ts';
import { invitationRoute } from './invitation-route.ts';

export interface PartProps {
  readonly named: { readonly realm: string; readonly invitation: number };
  /** The invitation: its parts are read again when it changes. */
  readonly version: unknown;
}

type Course = CallReply<'invitations.list-courses'>['items'][number];

/** The courses of an invitation, with their seats. */
export function InvitationCourses({ named, version }: PartProps) {
  const { t } = useTranslation();
  const { courses: cursor } = invitationRoute.useSearch();
  const navigate = useNavigate({ from: invitationRoute.fullPath });
  const query = useCall('invitations.list-courses', {
    ...named,
    cursor: cursor ?? null,
    limit: 20,
  });
  useRefetchOn(version, query.refetch);
  const columns = useColumns();
  return (
    <DataTable
      label={t('invitation.courses')}
      columns={columns}
      query={query}
      rowKey={({ course_guid }) => course_guid}
      place={{ cursor }}
      onMove={(place) =>
        void navigate({ search: (before) => ({ ...before, courses: place.cursor }) })
      }
      empty={{ title: t('invitation.noCourses') }}
    />
  );
}

function useColumns() {
  const { t } = useTranslation();
  return useMemo(() => {
    const column = dataColumns<Course>();
    return column.columns([
      column.accessor('title', {
        header: t('registrations.course'),
        cell: ({ row: { original } }) => (
          <Group gap="xs">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {original.title}
            </Text>
            {original.deleted && (
              <Badge variant="dot" color="orange" tt="none" fw={500}>
                {t('invitation.deletedCourse')}
              </Badge>
            )}
          </Group>
        ),
      }),
      column.accessor('course_guid', {
        header: t('registrations.courseGuid'),
        meta: { visibleFrom: 'md' },
      }),
      column.accessor('seats', {
        header: t('invitations.seats'),
        cell: ({ row: { original } }) =>
          original.seats === null ? (
            '–'
          ) : (
            <SeatBar
              label={t('invitations.seatsOf', { name: original.title })}
              seats={original.seats}
            />
          ),
      }),
    ]);
  }, [t]);
}
