import { Anchor, Modal, Text } from '@mantine/core';
import IconEye from '@tabler/icons-react/icons/IconEye';
import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../../src/calls/calls.ts';
import { useChange } from '../../api/use-change.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';

interface Props {
  readonly named: CallInput<'registrations.preview'>;
}

/** Makes a link that opens the course for reading. A link, because browsers block windows that open by themselves. */
export function PreviewButton({ named }: Props) {
  const { t } = useTranslation();
  const preview = useChange('registrations.preview');
  const link = preview.data?.url;
  return (
    <>
      <ConfirmButton
        size="xs"
        variant="default"
        label={t('registration.preview')}
        leftSection={<IconEye size={14} aria-hidden />}
        consequence={t('registration.previewConsequence')}
        isPending={preview.isPending}
        onConfirm={() => preview.mutateAsync(named)}
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
