import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../components/PageHeader.tsx';

/** The state of the installation. */
export function OverviewPage() {
  const { t } = useTranslation();
  return <PageHeader title={t('overview.title')} description={t('overview.description')} />;
}
