import { Button, Checkbox, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChange } from '../../api/use-change.tsx';
import { FormModal } from '../../components/FormModal.tsx';
import { OverlapSelect } from '../../components/OverlapSelect.tsx';
import { SecretModal } from '../../components/SecretModal.tsx';
import { Time } from '../../components/Time.tsx';

/** Gives a realm a new secret key. */
export function RotateRealmSecret({ realm }: { readonly realm: string }) {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [overlapSeconds, setOverlap] = useState(86_400);
  const [endKeys, setEndKeys] = useState(false);
  const rotate = useChange('realms.rotate-secret', { isSecret: true });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {t('realms.rotate')}
      </Button>
      <FormModal
        isOpen={isOpen}
        onClose={close}
        title={t('realms.rotate')}
        submit={t('realms.rotate')}
        {...(endKeys && { color: 'red' })}
        isPending={rotate.isPending}
        onSubmit={() => rotate.mutateAsync({ realm, overlapSeconds, endKeys })}
      >
        <Text size="sm">{t('realms.rotateConsequence')}</Text>
        <OverlapSelect
          value={overlapSeconds}
          onChange={setOverlap}
          description={t('realms.overlapHint')}
        />
        <Checkbox
          label={t('realms.endKeys')}
          description={t('realms.endKeysHint')}
          checked={endKeys}
          onChange={(event) => setEndKeys(event.currentTarget.checked)}
        />
      </FormModal>
      <SecretModal
        label={t('realms.secretKey')}
        value={rotate.data?.realmSecretKey}
        onClose={rotate.reset}
      >
        <Text size="sm" mt="md">
          {rotate.data?.previousUntil == null ? (
            t('realms.previousRefused')
          ) : (
            <>
              {t('realms.previousUntil')} <Time at={rotate.data.previousUntil} />
            </>
          )}
        </Text>
      </SecretModal>
    </>
  );
}
