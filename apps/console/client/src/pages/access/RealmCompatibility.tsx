import { Group, Switch, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useChange } from '../../api/use-change.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';

interface Props {
  readonly realm: string;
  /** The clients that the realm serves beside the contract; null for none. */
  readonly clients: CallReply<'realms.show'>['realm']['compatibility'];
  readonly hasUserLicenses: boolean;
}

/** Whether a realm serves the clients of Bright as Bright did. */
export function RealmCompatibility({ realm, clients, hasUserLicenses }: Props) {
  const { t } = useTranslation();
  const change = useChange('realms.set-compatibility', {
    done: () => t('realms.compatibilityChanged'),
  });
  const isBright = clients === 'bright';
  return (
    <div>
      <Title order={3}>{t('realms.compatibility')}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {isBright ? t('realms.bright') : t('realms.contractAlone')}
      </Text>
      <Group>
        <ConfirmButton
          key={String(isBright)}
          size="xs"
          variant="default"
          label={isBright ? t('realms.endBright') : t('realms.beginBright')}
          consequence={
            isBright ? t('realms.endBrightConsequence') : t('realms.beginBrightConsequence')
          }
          isPending={change.isPending}
          onConfirm={() =>
            change.mutateAsync({ realm, clients: isBright ? 'none' : 'bright', userLicenses: null })
          }
        />
        {isBright && (
          <Switch
            label={t('realms.userLicenses')}
            checked={hasUserLicenses}
            disabled={change.isPending}
            onChange={(event) =>
              change.mutate({ realm, clients: null, userLicenses: event.currentTarget.checked })
            }
          />
        )}
      </Group>
    </div>
  );
}
