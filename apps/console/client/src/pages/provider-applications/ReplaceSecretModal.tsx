import { Checkbox, PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChange } from '../../api/use-change.tsx';
import { FormModal } from '../../components/FormModal.tsx';
import { OverlapSelect } from '../../components/OverlapSelect.tsx';
import type { NamedApplication } from './named-application.ts';

interface Props {
  readonly named: NamedApplication;
  readonly onClose: () => void;
}

/** Takes another secret key, which the provider has given to an application. */
export function ReplaceSecretModal({ named, onClose }: Props) {
  const { t } = useTranslation();
  const [secretKey, setSecretKey] = useState('');
  const [overlapSeconds, setOverlap] = useState(0);
  const [isTested, setTested] = useState(true);
  const replace = useChange('provider-applications.replace-secret', {
    done: () => t('providerApplications.secretReplaced'),
    isSecret: true,
  });
  return (
    <FormModal
      isOpen
      onClose={onClose}
      title={t('providerApplications.replaceSecret')}
      submit={t('providerApplications.replaceSecret')}
      isPending={replace.isPending}
      onSubmit={() => replace.mutateAsync({ ...named, secretKey, overlapSeconds, test: isTested })}
    >
      <Text size="sm">{t('providerApplications.replaceConsequence')}</Text>
      <PasswordInput
        label={t('providerApplications.secretKey')}
        required
        maxLength={255}
        autoComplete="off"
        value={secretKey}
        onChange={(event) => setSecretKey(event.currentTarget.value)}
        data-autofocus
        visibilityToggleButtonProps={{ 'aria-label': t('secret.toggle') }}
      />
      <OverlapSelect
        value={overlapSeconds}
        onChange={setOverlap}
        description={t('providerApplications.overlapHint')}
      />
      <Checkbox
        label={t('providerApplications.testFirst')}
        description={t('providerApplications.testFirstHint')}
        checked={isTested}
        onChange={(event) => setTested(event.currentTarget.checked)}
      />
    </FormModal>
  );
}
