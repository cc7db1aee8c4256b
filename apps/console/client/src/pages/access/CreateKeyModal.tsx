import { Checkbox, Group, NumberInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { FormModal } from '../../components/FormModal.tsx';

type Wanted = CallInput<'api-keys.create'>;

const permissions = ['read', 'write', 'launch'] as const;

interface Props {
  readonly realm: string;
  readonly isPending: boolean;
  readonly onClose: () => void;
  readonly onCreate: (wanted: Wanted) => Promise<unknown>;
}

/** Asks for the reach and the limits of a new API key. */
export function CreateKeyModal({ realm, isPending, onClose, onCreate }: Props) {
  const { t } = useTranslation();
  const [userEmail, setUserEmail] = useState('');
  const [application, setApplication] = useState<string | null>(null);
  const [permitted, setPermitted] = useState<string[]>([...permissions]);
  const [hours, setHours] = useState<number | string>('');
  const { data } = useCall('provider-applications.list', { realm, limit: 200 });
  return (
    <FormModal
      isOpen
      onClose={onClose}
      title={t('apiKeys.create')}
      submit={t('apiKeys.create')}
      isPending={isPending}
      onSubmit={() =>
        onCreate({
          realm,
          userEmail: userEmail.trim() || null,
          application: application === null ? null : Number(application),
          permissions: permissions.filter((permission) => permitted.includes(permission)),
          lifetimeHours: typeof hours === 'number' ? hours : null,
        })
      }
    >
      <TextInput
        type="email"
        label={t('apiKeys.user')}
        description={t('apiKeys.userDescription')}
        value={userEmail}
        onChange={(event) => setUserEmail(event.currentTarget.value)}
        data-autofocus
      />
      <Select
        label={t('apiKeys.application')}
        placeholder={t('apiKeys.wholeRealm')}
        clearable
        comboboxProps={{ zIndex: 400 }}
        data={(data?.items ?? []).map(({ id, name }) => ({
          value: String(id),
          label: `${name} (${id})`,
        }))}
        value={application}
        onChange={setApplication}
      />
      <Checkbox.Group
        label={t('apiKeys.permissions')}
        description={t('apiKeys.permissionsDescription')}
        value={permitted}
        onChange={setPermitted}
        {...(permitted.length === 0 && { error: t('apiKeys.noPermission') })}
      >
        <Group mt="xs">
          {permissions.map((permission) => (
            <Checkbox
              key={permission}
              value={permission}
              label={t(`apiKeys.permission.${permission}`)}
            />
          ))}
        </Group>
      </Checkbox.Group>
      <NumberInput
        label={t('apiKeys.lifetime')}
        description={t('apiKeys.lifetimeDescription')}
        min={1}
        max={999_999}
        allowDecimal={false}
        value={hours}
        onChange={setHours}
      />
    </FormModal>
  );
}
