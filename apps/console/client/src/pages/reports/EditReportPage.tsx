import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { Unloaded } from '../../components/Unloaded.tsx';
import { ReportForm } from './ReportForm.tsx';
import { editReportRoute } from './reports-routes.ts';

/** Changes the text of a stored query. */
export function EditReportPage(): ReactElement {
  const { t } = useTranslation();
  const { realm, report } = editReportRoute.useParams();
  const { scope, application } = editReportRoute.useSearch();
  const { data, error, refetch } = useCall('reports.show', { realm, report, scope, application });
  const title = t('reports.editOne', { name: report });
  if (!data) return <Unloaded title={title} error={error} onRetry={refetch} />;
  return (
    <>
      <PageHeader title={title} description={t('reports.editHint')} />
      <ReportForm key={data.id} realm={realm} stored={data} />
    </>
  );
}
