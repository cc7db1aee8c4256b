import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../../src/calls/calls.ts';
import { useChange } from '../../api/use-change.tsx';
import { PreviewButton } from '../../components/PreviewButton.tsx';

interface Props {
  readonly named: CallInput<'courses.preview'>;
}

/** Makes a link that opens the course without a registration. */
export function PreviewCourse({ named }: Props) {
  const { t } = useTranslation();
  const preview = useChange('courses.preview');
  return (
    <PreviewButton
      consequence={t('course.previewConsequence')}
      preview={preview}
      onConfirm={() => preview.mutateAsync(named)}
    />
  );
}
