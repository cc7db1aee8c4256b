import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The text of the button that sends the form. */
  readonly submit: string;
  readonly color?: string;
  readonly isPending: boolean;
  /** Does what the form is for. The dialog closes when that succeeds; a failure is shown by whoever makes the change. */
  readonly onSubmit: () => Promise<unknown>;
  readonly children: ReactNode;
}

/** A dialog with a form. */
export function FormModal(props: Props) {
  const { isOpen, onClose, title, submit, color, isPending, onSubmit, children } = props;
  const { t } = useTranslation();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      centered
      zIndex={300}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit().then(onClose, () => undefined);
        }}
      >
        <Stack>{children}</Stack>
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" {...(color && { color })} loading={isPending}>
            {submit}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
