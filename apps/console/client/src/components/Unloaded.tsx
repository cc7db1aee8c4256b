import { Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Failure } from './Failure.tsx';
import { PageHeader } from './PageHeader.tsx';

interface Props {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry: () => unknown;
}

/** A page in place of what it shows, while that is being loaded or when it could not be. */
export function Unloaded({ title, error, onRetry }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={title} />
      {error ? (
        <Failure error={error} onRetry={onRetry} />
      ) : (
        <Loader aria-label={t('table.loading')} />
      )}
    </>
  );
}
