import '@mantine/spotlight/styles.css';
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { OrganizationIcon } from '@primer/octicons-react/OrganizationIcon';
import { SearchIcon } from '@primer/octicons-react/SearchIcon';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session.ts';
import { useNavigation } from './use-navigation.ts';

/** The command palette: every page and every realm that the user may see, found by a part of the name. */
export function Palette() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { realms } = useSession();
  const pages = useNavigation().map(({ label, entries }): SpotlightActionGroupData => ({
    group: t(label),
    actions: entries.map(({ to, label: key, icon: Icon }) => ({
      id: to,
      label: t(key),
      leftSection: <Icon size={18} aria-hidden />,
      onClick: () => void navigate({ to }),
    })),
  }));
  const toRealms: SpotlightActionGroupData = {
    group: t('shell.realms'),
    actions: realms.map(({ guid, name }) => ({
      id: guid,
      label: name,
      leftSection: <OrganizationIcon size={18} aria-hidden />,
      onClick: () => void navigate({ to: '/realms/$realm', params: { realm: guid } }),
    })),
  };
  return (
    <Spotlight
      actions={pages.concat(toRealms)}
      shortcut={null}
      nothingFound={t('shell.nothingFound')}
      highlightQuery
      scrollable
      maxHeight={420}
      limit={20}
      searchProps={{
        'aria-label': t('shell.palette'),
        placeholder: t('shell.palette'),
        leftSection: <SearchIcon size={18} aria-hidden />,
      }}
    />
  );
}
