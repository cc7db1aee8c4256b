import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Secret } from './Secret.tsx';

interface Props {
  /** What the secret is, such as "Secret key of the realm". */
  readonly label: string;
  /** The secret; the dialog is open as long as there is one. */
  readonly value: string | undefined;
  /** Forgets the secret. */
  readonly onClose: () => void;
  /** What else has to be known. */
  readonly children?: ReactNode;
}

/** A dialog with a secret that is shown this once. A click beside it does not close it. */
export function SecretModal({ label, value, onClose, children }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={value !== undefined}
      onClose={onClose}
      title={label}
      centered
      size="lg"
      zIndex={300}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {value !== undefined && <Secret label={label} value={value} />}
      {children}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('secret.done')}
        </Button>
      </Group>
    </Modal>
  );
}
