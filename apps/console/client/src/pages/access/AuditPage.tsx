import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { auditRoute } from './access-routes.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditTable } from './AuditTable.tsx';
import { auditInput } from './audit-search.ts';

/** What was done in a realm, and by whom. */
export function AuditPage() {
  const { t } = useTranslation();
  const { realm } = auditRoute.useParams();
  const search = auditRoute.useSearch();
  const navigate = auditRoute.useNavigate();
  const query = useCall('audit.list', { realm, ...auditInput(search) });
  return (
    <>
      <PageHeader title={t('audit.title')} description={t('audit.description')} />
      <AuditFilters
        search={search}
        onChange={(changes) =>
          void navigate({ search: { ...search, ...changes, cursor: undefined } })
        }
        onReset={() => void navigate({ search: {} })}
      />
      <AuditTable
        isOfAllRealms={false}
        query={query}
        place={{ cursor: search.cursor }}
        onMove={({ cursor }) => void navigate({ search: { ...search, cursor } })}
      />
    </>
  );
}
