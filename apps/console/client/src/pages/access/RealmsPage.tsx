import { Badge, Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { OrganizationIcon } from '@primer/octicons-react/OrganizationIcon';
import { PlusIcon } from '@primer/octicons-react/PlusIcon';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { useChange } from '../../api/use-change.tsx';
import { DataTable, dataColumns } from '../../components/DataTable.tsx';
import { FormModal } from '../../components/FormModal.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { SecretModal } from '../../components/SecretModal.tsx';
import { submittedText } from '../../components/submitted-text.ts';
import { Time } from '../../components/Time.tsx';
import { realmsRoute } from './access-routes.ts';
import { RealmDrawer } from './RealmDrawer.tsx';

type Realm = CallReply<'realms.list'>['items'][number];

/** The realms of the installation, with their secrets, limits and settings. */
export function RealmsPage() {
  const { t } = useTranslation();
  const search = realmsRoute.useSearch();
  const navigate = realmsRoute.useNavigate();
  const { text, cursor, open } = search;
  const query = useCall('realms.list', { text: text ?? null, cursor: cursor ?? null });
  return (
    <>
      <PageHeader title={t('realms.title')} description={t('realms.description')}>
        <CreateRealm />
      </PageHeader>
      <form
        key={text ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ search: { text: submittedText(event.currentTarget, 'text') } });
        }}
      >
        <TextInput
          mb="sm"
          size="xs"
          maw={260}
          name="text"
          label={t('realms.search')}
          placeholder={t('realms.searchHint')}
          defaultValue={text ?? ''}
        />
      </form>
      <DataTable
        label={t('realms.title')}
        columns={useColumns()}
        query={query}
        rowKey={({ guid }) => guid}
        place={{ cursor }}
        onMove={(place) => void navigate({ search: { ...search, cursor: place.cursor } })}
        onOpen={({ guid }) => void navigate({ search: { ...search, open: guid } })}
        openKey={open}
        empty={{ title: t('realms.empty'), icon: <OrganizationIcon size={24} aria-hidden /> }}
      />
      <RealmDrawer
        open={open}
        onClose={() => void navigate({ search: { ...search, open: undefined } })}
      />
    </>
  );
}

function useColumns() {
  const { t, i18n } = useTranslation();
  return useMemo(() => {
    const column = dataColumns<Realm>();
    const count = (value: number) => value.toLocaleString(i18n.language);
    return column.columns([
      column.accessor('name', { header: t('realms.name') }),
      column.accessor('disabled_at', {
        header: t('realms.state'),
        cell: ({ row: { original } }) => (
          <Badge
            variant="dot"
            color={original.disabled_at === null ? 'teal' : 'gray'}
            tt="none"
            fw={500}
          >
            {original.disabled_at === null ? t('realms.enabled') : t('realms.disabled')}
          </Badge>
        ),
      }),
      column.accessor('provider_applications', {
        header: t('providerApplications.title'),
        meta: { align: 'right', visibleFrom: 'sm' },
        cell: ({ row: { original } }) => count(original.provider_applications),
      }),
      column.accessor('users', {
        header: t('realms.users'),
        meta: { align: 'right', visibleFrom: 'sm' },
        cell: ({ row: { original } }) => count(original.users),
      }),
      column.accessor('created_at', {
        header: t('realms.createdAt'),
        meta: { visibleFrom: 'md' },
        cell: ({ row: { original } }) => <Time at={original.created_at} />,
      }),
    ]);
  }, [t, i18n.language]);
}

function CreateRealm() {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [name, setName] = useState('');
  const create = useChange('realms.create', { isSecret: true });
  return (
    <>
      <Button leftSection={<PlusIcon size={16} aria-hidden />} onClick={open}>
        {t('realms.create')}
      </Button>
      <FormModal
        isOpen={isOpen}
        onClose={close}
        title={t('realms.create')}
        submit={t('realms.create')}
        isPending={create.isPending}
        onSubmit={() => create.mutateAsync({ name }).then(() => setName(''))}
      >
        <TextInput
          label={t('realms.name')}
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
      </FormModal>
      <SecretModal
        label={t('realms.secretKey')}
        value={create.data?.realmSecretKey}
        onClose={create.reset}
      >
        <Text size="sm" mt="md">
          {t('realms.guidOfNew', { guid: create.data?.realmGuid })}
        </Text>
      </SecretModal>
    </>
  );
}
