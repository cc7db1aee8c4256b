import { ActionIcon, AppShell, Box, Burger, Button, Group, Kbd, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { SearchIcon } from '@primer/octicons-react/SearchIcon';
import { Link, Outlet, useMatches, useParams } from '@tanstack/react-router';
import { type ReactElement, lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { maySee, useSession } from '../api/session.ts';
import { ColorSchemeMenu } from './ColorSchemeMenu.tsx';
import { LanguageMenu } from './LanguageMenu.tsx';
import { Logo } from './Logo.tsx';
import { Navigation } from './Navigation.tsx';
import { NoAccess } from './NoAccess.tsx';
import { RealmPicker } from './RealmPicker.tsx';
import { UserMenu } from './UserMenu.tsx';
import { usePalette } from './use-palette.ts';

const Palette = lazy(() =>
  import('./Palette.tsx').then(({ Palette: component }) => ({ default: component })),
);

/** The frame of every page: header, navigation, and the page if the user may see it. */
export function Shell(): ReactElement {
  const { t } = useTranslation();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const palette = usePalette();
  const matches = useMatches();
  const pathname = matches.at(-1)?.pathname;
  useEffect(close, [close, pathname]);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip-link" href="#main" onClick={skipToMain}>
        {t('shell.skip')}
      </a>
      <AppShell.Header>
        <Group
          h="100%"
          px={{ base: 'xs', sm: 'md' }}
          justify="space-between"
          wrap="nowrap"
          gap="xs"
        >
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('shell.navigation')}
              aria-expanded={isOpen}
            />
            <Link to="/" className="plain-link" aria-label={t('shell.home')}>
              <Group gap={8} wrap="nowrap">
                <Logo />
                <Text fw={650} visibleFrom="xs" lts={-0.2}>
                  Registrar
                </Text>
              </Group>
            </Link>
            <Box ml={{ base: 0, sm: 'md' }}>
              <RealmPicker />
            </Box>
          </Group>
          <Group gap={4} wrap="nowrap">
            <Button
              variant="default"
              size="xs"
              c="dimmed"
              fw={400}
              visibleFrom="md"
              leftSection={<SearchIcon size={14} aria-hidden />}
              rightSection={<Kbd size="xs">{t('shell.paletteKey')}</Kbd>}
              onClick={palette.open}
            >
              {t('shell.palette')}
            </Button>
            <ActionIcon
              hiddenFrom="md"
              size="lg"
              aria-label={t('shell.palette')}
              onClick={palette.open}
            >
              <SearchIcon size={18} aria-hidden />
            </ActionIcon>
            <LanguageMenu />
            <ColorSchemeMenu />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('shell.navigation')}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className="main">
        <Box maw={1680} mx="auto">
          <Page />
        </Box>
      </AppShell.Main>
      {palette.isLoaded && (
        <Suspense>
          <Palette />
        </Suspense>
      )}
    </AppShell>
  );
}

/** Moves the focus only: the fragment of the address is not the page's to change. */
function skipToMain(event: { preventDefault(): void }) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Page() {
  const session = useSession();
  const { realm } = useParams({ strict: false });
  const access = useMatches({
    select: (matches) => matches.findLast(({ staticData }) => staticData.access)?.staticData.access,
  });
  return maySee(session, access ?? 'everybody', realm) ? <Outlet /> : <NoAccess />;
}
