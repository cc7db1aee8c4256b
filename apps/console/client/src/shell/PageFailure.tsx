import { Box } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Failure } from '../components/Failure.tsx';
import { PageHeader } from '../components/PageHeader.tsx';

/** Stands in place of a page that failed. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Box component="main" p="lg" maw={720} mx="auto">
      <PageHeader title={t('failure.page')} />
      <Failure error={error} onRetry={retry} />
    </Box>
  );
}
