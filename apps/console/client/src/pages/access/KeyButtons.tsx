import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useChange } from '../../api/use-change.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';

interface Props {
  readonly realm: string;
  /** Of the API key. */
  readonly id: number;
}

/** What can be done with an API key. */
export function KeyButtons({ realm, id }: Props) {
  const { t } = useTranslation();
  const renew = useChange('api-keys.renew', { done: () => t('apiKeys.renewed') });
  const revoke = useChange('api-keys.revoke', { done: () => t('apiKeys.revoked') });
  const key = { realm, key: id };
  return (
    <Group gap={6}>
      <Button
        size="compact-xs"
        variant="default"
        loading={renew.isPending}
        aria-label={t('apiKeys.renewOf', { id })}
        onClick={() => renew.mutate(key)}
      >
        {t('apiKeys.renew')}
      </Button>
      <ConfirmButton
        size="compact-xs"
        variant="outline"
        color="red"
        label={t('apiKeys.revokeOf', { id })}
        consequence={t('apiKeys.revokeConsequence', { id })}
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutateAsync(key)}
      />
    </Group>
  );
}
