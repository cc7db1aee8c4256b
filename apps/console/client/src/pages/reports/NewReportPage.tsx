import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../components/PageHeader.tsx';
import { ReportForm } from './ReportForm.tsx';
import { newReportRoute } from './reports-routes.ts';

/** Stores a new query. */
export function NewReportPage(): ReactElement {
  const { t } = useTranslation();
  const { realm } = newReportRoute.useParams();
  return (
    <>
      <PageHeader title={t('reports.new')} description={t('reports.editHint')} />
      <ReportForm realm={realm} stored={null} />
    </>
  );
}
