import { Alert, Button, Code, CopyButton, Group } from '@mantine/core';
import IconCopy from '@tabler/icons-react/icons/IconCopy';
import IconKey from '@tabler/icons-react/icons/IconKey';
import { useTranslation } from 'react-i18next';

interface Props {
  /** What the secret is, such as "Secret of the API key". */
  readonly label: string;
  readonly value: string;
}

/** A secret that is shown this once. */
export function Secret({ label, value }: Props) {
  const { t } = useTranslation();
  return (
    <Alert color="yellow" variant="light" icon={<IconKey aria-hidden />} title={label}>
      {t('secret.once')}
      <Group mt="sm" gap="sm" wrap="nowrap">
        <Code block flex={1} style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
          {value}
        </Code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={<IconCopy size={16} aria-hidden />}
              onClick={copy}
              aria-live="polite"
            >
              {copied ? t('secret.copied') : t('secret.copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Alert>
  );
}
