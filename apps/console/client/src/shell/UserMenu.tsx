import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { SignOutIcon } from '@primer/octicons-react/SignOutIcon';
import { FeedPersonIcon } from '@primer/octicons-react/FeedPersonIcon';
import { useTranslation } from 'react-i18next';
import { addressOf, CallError, send } from '../api/call.ts';
import { useSession } from '../api/session.ts';
import { FailureText } from '../components/FailureText.tsx';

/** Who is signed in, and signing out. */
export function UserMenu() {
  const { t } = useTranslation();
  const { name, roles } = useSession();
  const signOut = async (path: 'api/sign-out' | 'api/sign-out-everywhere') => {
    try {
      await send('POST', path);
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'signed-out') {
        notifications.show({
          color: 'red',
          message: <FailureText error={error} />,
          autoClose: false,
        });
        return;
      }
    }
    // A new document, so that nothing of the session stays in memory.
    window.location.assign(addressOf('sign-in'));
  };
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon size="lg" aria-label={t('user.menu', { name })}>
          <FeedPersonIcon size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label style={{ overflowWrap: 'anywhere' }}>
          {roles.operator ? t('user.operator', { name }) : name}
        </Menu.Label>
        <Menu.Item
          leftSection={<SignOutIcon size={16} aria-hidden />}
          onClick={() => void signOut('api/sign-out')}
        >
          {t('user.signOut')}
        </Menu.Item>
        <Menu.Item onClick={() => void signOut('api/sign-out-everywhere')}>
          {t('user.signOutEverywhere')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
