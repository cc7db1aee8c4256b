import { useTranslation } from 'react-i18next';
import { useLiveCall } from '../../api/use-live-call.ts';
import { LiveBadge } from '../../components/LiveBadge.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { ApplicationsTable } from './ApplicationsTable.tsx';
import { applicationsRoute } from './provider-applications-routes.ts';

/** The provider applications of a realm. */
export function ApplicationsPage() {
  const { t } = useTranslation();
  const { realm } = applicationsRoute.useParams();
  const { cursor } = applicationsRoute.useSearch();
  const navigate = applicationsRoute.useNavigate();
  const query = useLiveCall('provider-applications.list', { realm, cursor: cursor ?? null });
  return (
    <>
      <PageHeader
        title={t('providerApplications.title')}
        description={t('providerApplications.description')}
      >
        <LiveBadge {...query.liveness} />
      </PageHeader>
      <ApplicationsTable
        isOfAllRealms={false}
        query={query}
        place={{ cursor }}
        onMove={(place) => void navigate({ search: { cursor: place.cursor } })}
      />
    </>
  );
}
