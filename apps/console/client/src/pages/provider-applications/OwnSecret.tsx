import { Alert, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChange } from '../../api/use-change.tsx';
import { FormModal } from '../../components/FormModal.tsx';
import { OverlapSelect } from '../../components/OverlapSelect.tsx';
import { SecretModal } from '../../components/SecretModal.tsx';

/** Gives an application at Registrar's own course provider a new secret key, for operators. */
export function OwnSecret({ application }: { readonly application: number }) {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [overlapSeconds, setOverlap] = useState(86_400);
  const rotate = useChange('provider-applications.rotate-own-secret', { isSecret: true });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {t('providerApplications.ownSecret')}
      </Button>
      <FormModal
        isOpen={isOpen}
        onClose={close}
        title={t('providerApplications.ownSecret')}
        submit={t('providerApplications.ownSecret')}
        isPending={rotate.isPending}
        onSubmit={() => rotate.mutateAsync({ application, overlapSeconds })}
      >
        <Text size="sm">{t('providerApplications.ownSecretConsequence')}</Text>
        <OverlapSelect
          value={overlapSeconds}
          onChange={setOverlap}
          description={t('providerApplications.ownOverlapHint')}
        />
      </FormModal>
      <SecretModal
        label={t('providerApplications.secretKey')}
        value={rotate.data?.secretKey}
        onClose={rotate.reset}
      >
        {rotate.data?.fault != null && (
          <Alert
            mt="md"
            color="red"
            variant="light"
            title={t('providerApplications.secretNotStored')}
          >
            <Text size="sm">{t('providerApplications.secretNotStoredRemedy')}</Text>
            <Text size="sm" c="dimmed">
              {rotate.data.fault}
            </Text>
          </Alert>
        )}
      </SecretModal>
    </>
  );
}
