import { Alert, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PlugIcon } from '@primer/octicons-react/PlugIcon';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useSession } from '../../api/session.ts';
import { useChange } from '../../api/use-change.tsx';
import { Fact, Facts } from '../../components/Facts.tsx';
import { Time } from '../../components/Time.tsx';
import type { NamedApplication } from './named-application.ts';
import { OwnSecret } from './OwnSecret.tsx';
import { ReplaceSecretModal } from './ReplaceSecretModal.tsx';

interface Props {
  readonly named: NamedApplication;
  readonly application: CallReply<'provider-applications.show'>['application'];
}

/** With what a provider application is signed in at its provider; a test of it, and a new secret key. */
export function Credentials({ named, application }: Props) {
  const { t } = useTranslation();
  const { roles } = useSession();
  const [isOpen, { open, close }] = useDisclosure(false);
  const test = useChange('provider-applications.test');
  return (
    <>
      <Facts>
        <Fact label={t('providerApplications.url')}>{application.url}</Fact>
        <Fact label={t('providerApplications.appId')}>{application.sc_app_id}</Fact>
        <Fact label={t('providerApplications.id')}>{application.id}</Fact>
        <Fact label={t('providerApplications.updatedAt')}>
          <Time at={application.updated_at} />
        </Fact>
      </Facts>
      <Group gap="xs">
        <Button
          size="xs"
          leftSection={<PlugIcon size={16} aria-hidden />}
          loading={test.isPending}
          onClick={() => test.mutate(named)}
        >
          {t('providerApplications.test')}
        </Button>
        <Button size="xs" variant="default" onClick={open}>
          {t('providerApplications.replaceSecret')}
        </Button>
        {roles.operator && <OwnSecret application={named.application} />}
      </Group>
      {test.data && <Tested found={test.data} />}
      {isOpen && <ReplaceSecretModal named={named} onClose={close} />}
    </>
  );
}

/** Clocks that differ by more make crawls miss changes: seconds. */
const tolerableSkew = 60;

function Tested({ found }: { readonly found: CallReply<'provider-applications.test'> }) {
  const { t } = useTranslation();
  const skew = found.clock_skew_seconds;
  const isSkewed = skew !== null && Math.abs(skew) > tolerableSkew;
  const outcome =
    found.fault === null
      ? 'accepted'
      : found.credentials_accepted === false
        ? 'refused'
        : found.reachable
          ? 'failed'
          : 'unreachable';
  const color = outcome === 'accepted' ? (isSkewed ? 'orange' : 'teal') : 'red';
  return (
    <Alert
      color={color}
      variant="light"
      role="status"
      title={t(`providerApplications.tested.${outcome}`)}
    >
      {found.fault !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {found.fault}
        </Text>
      )}
      {isSkewed && <Text size="sm">{t('providerApplications.tested.skew', { count: skew })}</Text>}
    </Alert>
  );
}
