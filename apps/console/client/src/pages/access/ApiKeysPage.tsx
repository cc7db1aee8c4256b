import { Badge, Button, Group, Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { KeyIcon } from '@primer/octicons-react/KeyIcon';
import { PlusIcon } from '@primer/octicons-react/PlusIcon';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { useChange } from '../../api/use-change.tsx';
import { Age } from '../../components/Age.tsx';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { SecretModal } from '../../components/SecretModal.tsx';
import { submittedText } from '../../components/submitted-text.ts';
import { Time } from '../../components/Time.tsx';
import { apiKeysRoute } from './access-routes.ts';
import { CreateKeyModal } from './CreateKeyModal.tsx';
import { KeyButtons } from './KeyButtons.tsx';

type ApiKey = CallReply<'api-keys.list'>['items'][number];

const daySeconds = 86_400;
/** Days that the filter of unused keys offers. */
const unusedDays = [7, 30, 90] as const;

/** The API keys of a realm, which are created, renewed and revoked here. */
export function ApiKeysPage() {
  const { t } = useTranslation();
  const { realm } = apiKeysRoute.useParams();
  const search = apiKeysRoute.useSearch();
  const navigate = apiKeysRoute.useNavigate();
  const { user, unused, cursor } = search;
  const query = useCall('api-keys.list', {
    realm,
    userEmail: user ?? null,
    unusedForSeconds: unused === undefined ? null : unused * daySeconds,
    cursor: cursor ?? null,
  });
  const [isOpen, { open, close }] = useDisclosure(false);
  const create = useChange('api-keys.create', { isSecret: true });
  const filter = (changes: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...changes, cursor: undefined } });
  return (
    <>
      <PageHeader title={t('apiKeys.title')} description={t('apiKeys.description')}>
        <Button leftSection={<PlusIcon size={16} aria-hidden />} onClick={open}>
          {t('apiKeys.create')}
        </Button>
      </PageHeader>
      <Group mb="sm" align="flex-end" gap="sm">
        <form
          key={user ?? ''}
          onSubmit={(event) => {
            event.preventDefault();
            filter({ user: submittedText(event.currentTarget, 'user') });
          }}
        >
          <TextInput
            size="xs"
            w={230}
            name="user"
            type="email"
            label={t('apiKeys.user')}
            placeholder={t('apiKeys.userHint')}
            defaultValue={user ?? ''}
          />
        </form>
        <Select
          size="xs"
          w={200}
          label={t('apiKeys.unused')}
          placeholder={t('apiKeys.anyUse')}
          clearable
          data={unusedDays.map((days) => ({
            value: String(days),
            label: t('apiKeys.days', { count: days }),
          }))}
          value={unused === undefined ? null : String(unused)}
          onChange={(days) => filter({ unused: days === null ? undefined : Number(days) })}
        />
      </Group>
      <DataTable
        label={t('apiKeys.title')}
        columns={useColumns(realm)}
        query={query}
        rowKey={({ id }) => String(id)}
        place={{ cursor }}
        onMove={(place) => void navigate({ search: { ...search, cursor: place.cursor } })}
        empty={{
          title: t('apiKeys.empty'),
          description: t('apiKeys.emptyDescription'),
          icon: <KeyIcon size={24} aria-hidden />,
        }}
      />
      {isOpen && (
        <CreateKeyModal
          realm={realm}
          isPending={create.isPending}
          onClose={close}
          onCreate={(wanted) => create.mutateAsync(wanted)}
        />
      )}
      <SecretModal label={t('apiKeys.token')} value={create.data?.token} onClose={create.reset} />
    </>
  );
}

function useColumns(realm: string) {
  const { t } = useTranslation();
  return useMemo(() => {
    const column = dataColumns<ApiKey>();
    return column.columns([
      column.accessor('id', { header: t('apiKeys.id') }),
      column.accessor('user_email', {
        header: t('apiKeys.reach'),
        cell: ({ row: { original } }) =>
          [
            original.course_provider_id === null
              ? t('apiKeys.wholeRealm')
              : t('apiKeys.ofApplication', { id: original.course_provider_id }),
            original.user_email,
          ]
            .filter((part) => part !== null)
            .join(', '),
      }),
      column.accessor('permissions', {
        header: t('apiKeys.permissions'),
        meta: { visibleFrom: 'sm' },
        cell: ({ row: { original } }) => (
          <Group gap={4}>
            {original.permissions.map((permission) => (
              <Badge key={permission} variant="default" tt="none" fw={500} size="sm">
                {t(`apiKeys.permission.${permission}`)}
              </Badge>
            ))}
          </Group>
        ),
      }),
      column.accessor('created_at', {
        header: t('apiKeys.createdAt'),
        meta: { visibleFrom: 'lg' },
        cell: ({ row: { original } }) => <Time at={original.created_at} />,
      }),
      column.accessor('last_used_at', {
        header: t('apiKeys.lastUsedAt'),
        meta: { visibleFrom: 'md' },
        cell: ({ row: { original } }) =>
          original.last_used_at === null ? (
            t('apiKeys.never')
          ) : (
            <Age since={original.last_used_at} />
          ),
      }),
      column.accessor('expires_at', {
        header: t('apiKeys.expiresAt'),
        meta: { visibleFrom: 'sm' },
        cell: ({ row: { original } }) => <Time at={original.expires_at} />,
      }),
      column.display({
        id: 'steer',
        header: t('apiKeys.steer'),
        cell: ({ row: { original } }) => <KeyButtons realm={realm} id={original.id} />,
      }),
    ]);
  }, [t, realm]);
}
