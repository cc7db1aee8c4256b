import { Button, type ButtonProps, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface Props extends Pick<
  ButtonProps,
  'color' | 'disabled' | 'leftSection' | 'size' | 'variant'
> {
  /** The button's text, which the dialog repeats as its title and on its button. */
  readonly label: string;
  /** What happens, in one sentence or more. */
  readonly consequence: ReactNode;
  /** Does it. The dialog stays open until it has ended, and closes whether or not it succeeded. */
  readonly onConfirm: () => Promise<unknown>;
  readonly isPending: boolean;
}

/** A button that names its consequence in a dialog, and does its work when that is confirmed. */
export function ConfirmButton({ label, consequence, onConfirm, isPending, ...button }: Props) {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  const confirm = () => {
    // Whoever makes the change shows its failure.
    void onConfirm().then(close, close);
  };
  return (
    <>
      <Button {...button} onClick={open}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={label}
        centered
        zIndex={300}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Text size="sm">{consequence}</Text>
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" onClick={close} data-autofocus>
            {t('cancel')}
          </Button>
          <Button
            {...(button.color && { color: button.color })}
            loading={isPending}
            onClick={confirm}
          >
            {label}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
