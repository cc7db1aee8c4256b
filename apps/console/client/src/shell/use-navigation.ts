import { maySee, useSession } from '../api/session.ts';
import { installationEntries, type NavigationEntry, realmEntries } from './navigation.ts';
import { useRealm } from './use-realm.ts';

interface NavigationGroup {
  readonly label: 'navigation.installation' | 'navigation.realm';
  readonly entries: readonly NavigationEntry[];
}

/** The entries that the user may see, with addresses of the realm that is chosen. */
export function useNavigation(): readonly NavigationGroup[] {
  const session = useSession();
  const realm = useRealm();
  const seen = (entries: readonly NavigationEntry[]) =>
    entries
      .filter(({ access }) => maySee(session, access, realm))
      .map((entry) => ({ ...entry, to: entry.to.replace('$realm', realm ?? '') }));
  const groups: readonly NavigationGroup[] = [
    { label: 'navigation.installation', entries: seen(installationEntries) },
    { label: 'navigation.realm', entries: realm === undefined ? [] : seen(realmEntries) },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}
