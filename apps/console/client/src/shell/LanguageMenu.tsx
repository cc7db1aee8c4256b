import { ActionIcon, Menu } from '@mantine/core';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import IconLanguage from '@tabler/icons-react/icons/IconLanguage';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, type Language, languages } from '../messages.ts';

/** Chooses the language. */
export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="lg" aria-label={t('shell.language')}>
          <IconLanguage size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(languages) as Language[]).map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            role="menuitemradio"
            aria-checked={language === i18n.language}
            rightSection={language === i18n.language ? <IconCheck size={14} aria-hidden /> : null}
            onClick={() => void chooseLanguage(language)}
          >
            {languages[language]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
