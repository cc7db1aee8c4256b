import { Badge, Text } from '@mantine/core';
import { MailIcon } from '@primer/octicons-react/MailIcon';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { Age } from '../../components/Age.tsx';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { SearchForm } from '../../components/SearchForm.tsx';
import { invitationRoute } from '../invitation/invitation-route.ts';
import { InvitationBadges } from './InvitationBadges.tsx';
import { invitationsRoute } from './invitations-route.ts';
import { SeatBar } from './SeatBar.tsx';
import { useCount } from './use-count.ts';

type Invitation = CallReply<'invitations.list'>['items'][number];

/** The invitations and licenses of a realm, with their seats. */
export function InvitationsPage(): ReactElement {
  const { t } = useTranslation();
  const { realm } = invitationsRoute.useParams();
  const { name, cursor } = invitationsRoute.useSearch();
  const navigate = useNavigate({ from: invitationsRoute.fullPath });
  const query = useCall('invitations.list', { realm, name, cursor: cursor ?? null });
  const columns = useColumns();
  return (
    <>
      <PageHeader title={t('invitations.title')} description={t('invitations.description')} />
      <SearchForm
        fields={[
          {
            name: 'name',
            label: t('invitations.name'),
            placeholder: t('invitations.nameHint'),
            value: name,
            maxLength: 255,
          },
        ]}
        onSearch={(search) => void navigate({ search })}
      />
      <DataTable
        label={t('invitations.title')}
        columns={columns}
        query={query}
        rowKey={({ id }) => `${id}`}
        place={{ cursor }}
        onMove={(place) =>
          void navigate({ search: (before) => ({ ...before, cursor: place.cursor }) })
        }
        onOpen={({ id }) =>
          void navigate({ to: invitationRoute.to, params: { realm, invitation: `${id}` } })
        }
        empty={{
          title: t('invitations.empty'),
          description: t('invitations.emptyDescription'),
          icon: <MailIcon size={24} aria-hidden />,
        }}
      />
    </>
  );
}

function useColumns() {
  const { t } = useTranslation();
  const count = useCount();
  return useMemo(() => {
    const column = dataColumns<Invitation>();
    return column.columns([
      column.accessor('name', {
        header: t('invitations.name'),
        cell: ({ row: { original } }) => (
          <Text span inherit style={{ overflowWrap: 'anywhere' }}>
            {original.name}
          </Text>
        ),
      }),
      column.accessor('license', {
        header: t('invitations.kind'),
        meta: { visibleFrom: 'sm' },
        cell: ({ row: { original } }) => <InvitationBadges invitation={original} />,
      }),
      column.accessor('seats', {
        header: t('invitations.seats'),
        cell: ({ row: { original } }) =>
          original.seats === null ? (
            <Badge variant="transparent" color="gray" c="dimmed" tt="none" fw={400} px={0}>
              {t('invitations.noSeats')}
            </Badge>
          ) : (
            <SeatBar
              label={t('invitations.seatsOf', { name: original.name })}
              seats={original.seats}
            />
          ),
      }),
      column.accessor('learners', {
        header: t('invitations.learners'),
        meta: { align: 'right' },
        cell: ({ row: { original } }) => count(original.learners),
      }),
      column.accessor('courses', {
        header: t('invitations.courses'),
        meta: { align: 'right', visibleFrom: 'md' },
        cell: ({ row: { original } }) => count(original.courses),
      }),
      column.accessor('created_at', {
        header: t('registrations.created'),
        meta: { visibleFrom: 'md' },
        cell: ({ row: { original } }) => <Age since={original.created_at} />,
      }),
    ]);
  }, [t, count]);
}
