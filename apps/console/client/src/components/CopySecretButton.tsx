import { Button, CopyButton } from '@mantine/core';
import { CopyIcon } from '@primer/octicons-react/CopyIcon';
import { useTranslation } from 'react-i18next';

interface Props {
  readonly value: string;
  /** The text of the button. */
  readonly label: string;
}

/** Copies a secret, and says so. */
export function CopySecretButton({ value, label }: Props) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          leftSection={<CopyIcon size={16} aria-hidden />}
          onClick={copy}
          aria-live="polite"
        >
          {copied ? t('secret.copied') : label}
        </Button>
      )}
    </CopyButton>
  );
}
