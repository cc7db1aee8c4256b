import { NavLink, ScrollArea, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useNavigation } from './use-navigation.ts';

/** The pages that the user may see. */
export function Navigation() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <ScrollArea type="auto">
      {useNavigation().map(({ label, entries }) => (
        <div key={label}>
          <Text size="xs" fw={600} c="dimmed" px="sm" pt="sm" pb={4}>
            {t(label)}
          </Text>
          {entries.map(({ to, label: key, icon: Icon }) => {
            const isActive = pathname === to || pathname.startsWith(`${to}/`);
            return (
              <NavLink
                key={to}
                renderRoot={(props) => <Link to={to} {...props} />}
                label={t(key)}
                leftSection={<Icon size={18} aria-hidden />}
                active={isActive}
                aria-current={isActive ? 'page' : undefined}
                py={7}
                className="navigation-link"
              />
            );
          })}
        </div>
      ))}
    </ScrollArea>
  );
}
