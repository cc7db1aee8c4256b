import { Center, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Stands in place of a page that is being loaded. */
export function PageLoading() {
  const { t } = useTranslation();
  return (
    <Center py={96}>
      <Loader aria-label={t('table.loading')} />
    </Center>
  );
}
