import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import IconDeviceDesktop from '@tabler/icons-react/icons/IconDeviceDesktop';
import IconMoon from '@tabler/icons-react/icons/IconMoon';
import IconSun from '@tabler/icons-react/icons/IconSun';
import { useTranslation } from 'react-i18next';

const schemes = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const;

/** Chooses light, dark, or what the system has. */
export function ColorSchemeMenu() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = schemes[colorScheme];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="lg" aria-label={t('scheme.title')}>
          <Current size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(['light', 'dark', 'auto'] as const).map((scheme) => {
          const Icon = schemes[scheme];
          const isChosen = scheme === colorScheme;
          return (
            <Menu.Item
              key={scheme}
              role="menuitemradio"
              aria-checked={isChosen}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={isChosen ? <IconCheck size={14} aria-hidden /> : null}
              onClick={() => setColorScheme(scheme)}
            >
              {t(`scheme.${scheme}`)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
