import { Alert, Code, Group } from '@mantine/core';
import { KeyIcon } from '@primer/octicons-react/KeyIcon';
import { useTranslation } from 'react-i18next';
import { CopySecretButton } from './CopySecretButton.tsx';

interface Props {
  /** What the secret is, such as "Secret of the API key". */
  readonly label: string;
  readonly value: string;
}

/** A secret that is shown this once. */
export function Secret({ label, value }: Props) {
  const { t } = useTranslation();
  return (
    <Alert color="yellow" variant="light" icon={<KeyIcon aria-hidden />} title={label}>
      {t('secret.once')}
      <Group mt="sm" gap="sm" wrap="nowrap">
        <Code block flex={1} style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
          {value}
        </Code>
        <CopySecretButton value={value} label={t('secret.copy')} />
      </Group>
    </Alert>
  );
}
