import { useTranslation } from 'react-i18next';
import { useLiveCall } from '../../api/use-live-call.ts';
import { LiveBadge } from '../../components/LiveBadge.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { ApplicationsTable } from './ApplicationsTable.tsx';
import { allApplicationsRoute } from './provider-applications-routes.ts';

/** The provider applications of all realms. */
export function AllApplicationsPage() {
  const { t } = useTranslation();
  const { cursor } = allApplicationsRoute.useSearch();
  const navigate = allApplicationsRoute.useNavigate();
  const query = useLiveCall('provider-applications.list-all', { cursor: cursor ?? null });
  return (
    <>
      <PageHeader
        title={t('providerApplications.allTitle')}
        description={t('providerApplications.allDescription')}
      >
        <LiveBadge {...query.liveness} />
      </PageHeader>
      <ApplicationsTable
        isOfAllRealms
        query={query}
        place={{ cursor }}
        onMove={(place) => void navigate({ search: { cursor: place.cursor } })}
      />
    </>
  );
}
