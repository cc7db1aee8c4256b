import { useParams } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';

const storageKey = 'registrar-console-realm';

/**
 * The GUID of the realm of the page; on pages of the installation, that of the page of a realm before, else the first
 * that the user has. Undefined without any.
 */
export function useRealm(): string | undefined {
  const { realms } = useSession();
  const { realm } = useParams({ strict: false });
  if (realm !== undefined) {
    sessionStorage.setItem(storageKey, realm);
    return realm;
  }
  const before = sessionStorage.getItem(storageKey);
  return realms.some(({ guid }) => guid === before) ? before! : realms[0]?.guid;
}
