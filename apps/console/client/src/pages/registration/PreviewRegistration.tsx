import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../../src/calls/calls.ts';
import { useChange } from '../../api/use-change.tsx';
import { PreviewButton } from '../../components/PreviewButton.tsx';

interface Props {
  readonly named: CallInput<'registrations.preview'>;
}

/** Makes a link that opens the registration's course for reading. */
export function PreviewRegistration({ named }: Props) {
  const { t } = useTranslation();
  const preview = useChange('registrations.preview');
  return (
    <PreviewButton
      consequence={t('registration.previewConsequence')}
      preview={preview}
      onConfirm={() => preview.mutateAsync(named)}
    />
  );
}
