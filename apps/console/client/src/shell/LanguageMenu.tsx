import { ActionIcon, Menu } from '@mantine/core';
import { GlobeIcon } from '@primer/octicons-react/GlobeIcon';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, type Language, languages } from '../messages.ts';

/** Chooses the language. */
export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="lg" aria-label={t('shell.language')}>
          <GlobeIcon size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={i18n.language}
          onChange={(language) => void chooseLanguage(language as Language)}
        >
          {Object.entries(languages).map(([language, name]) => (
            <Menu.RadioItem key={language} value={language} lang={language} closeMenuOnClick>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
