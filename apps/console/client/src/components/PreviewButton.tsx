import { Anchor, Modal, Text } from '@mantine/core';
import { EyeIcon } from '@primer/octicons-react/EyeIcon';
import { useTranslation } from 'react-i18next';
import { ConfirmButton } from './ConfirmButton.tsx';

interface Props {
  /** What happens, in one sentence or more. */
  readonly consequence: string;
  /** The change that makes the link, as `useChange` returns it. */
  readonly preview: {
    readonly data: { readonly url: string } | undefined;
    readonly isPending: boolean;
    readonly reset: () => void;
  };
  readonly onConfirm: () => Promise<unknown>;
}

/** Makes a link that opens a course for reading. A link, because browsers block windows that open by themselves. */
export function PreviewButton({ consequence, preview, onConfirm }: Props) {
  const { t } = useTranslation();
  const link = preview.data?.url;
  return (
    <>
      <ConfirmButton
        size="xs"
        variant="default"
        label={t('registration.preview')}
        leftSection={<EyeIcon size={14} aria-hidden />}
        consequence={consequence}
        isPending={preview.isPending}
        onConfirm={onConfirm}
      />
      <Modal
        opened={link !== undefined}
        onClose={preview.reset}
        title={t('registration.preview')}
        centered
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Text size="sm" mb="md">
          {t('registration.previewReady')}
        </Text>
        <Anchor
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          onClick={preview.reset}
          data-autofocus
        >
          {t('registration.previewOpen')}
        </Anchor>
      </Modal>
    </>
  );
}
