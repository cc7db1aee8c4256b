import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { allAuditRoute } from './access-routes.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditTable } from './AuditTable.tsx';
import { auditInput } from './audit-search.ts';
import { RealmFilter } from './RealmFilter.tsx';

/** What was done in the installation, and by whom. */
export function AllAuditPage() {
  const { t } = useTranslation();
  const search = allAuditRoute.useSearch();
  const navigate = allAuditRoute.useNavigate();
  const query = useCall('audit.list-all', { realm: search.realm ?? null, ...auditInput(search) });
  const filter = (changes: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...changes, cursor: undefined } });
  return (
    <>
      <PageHeader title={t('audit.allTitle')} description={t('audit.allDescription')} />
      <AuditFilters search={search} onChange={filter} onReset={() => void navigate({ search: {} })}>
        <RealmFilter value={search.realm} onChange={(realm) => filter({ realm })} />
      </AuditFilters>
      <AuditTable
        isOfAllRealms
        query={query}
        place={{ cursor: search.cursor }}
        onMove={({ cursor }) => void navigate({ search: { ...search, cursor } })}
      />
    </>
  );
}
