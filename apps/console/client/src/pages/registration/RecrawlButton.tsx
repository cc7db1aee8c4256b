import { SyncIcon } from '@primer/octicons-react/SyncIcon';
import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../../src/calls/calls.ts';
import { useChange } from '../../api/use-change.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';

interface Props {
  readonly named: CallInput<'registrations.recrawl'>;
}

/** Refreshes the registration's result from its provider. */
export function RecrawlButton({ named }: Props) {
  const { t } = useTranslation();
  const recrawl = useChange('registrations.recrawl', {
    done: ({ recrawled }) =>
      t(recrawled > 0 ? 'registration.recrawled' : 'registration.recrawlLate'),
  });
  return (
    <ConfirmButton
      size="xs"
      variant="default"
      label={t('registration.recrawl')}
      leftSection={<SyncIcon size={14} aria-hidden />}
      consequence={t('registration.recrawlConsequence')}
      isPending={recrawl.isPending}
      onConfirm={() => recrawl.mutateAsync(named)}
    />
  );
}
