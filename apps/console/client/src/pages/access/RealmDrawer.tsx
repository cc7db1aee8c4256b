import { Anchor, Divider, Drawer, Group, Loader, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { useChange } from '../../api/use-change.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { Fact, Facts } from '../../components/Facts.tsx';
import { Failure } from '../../components/Failure.tsx';
import { Time } from '../../components/Time.tsx';
import { RealmCompatibility } from './RealmCompatibility.tsx';
import { RealmLimits } from './RealmLimits.tsx';
import { RotateRealmSecret } from './RotateRealmSecret.tsx';

interface Props {
  /** GUID of the realm; none when the drawer is closed. */
  readonly open: string | undefined;
  readonly onClose: () => void;
}

/** A realm with its settings, and what can be done with it. */
export function RealmDrawer({ open, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={open !== undefined}
      onClose={onClose}
      title={t('realms.one')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {open !== undefined && <Shown key={open} guid={open} />}
    </Drawer>
  );
}

function Shown({ guid }: { readonly guid: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useCall('realms.show', { realm: guid });
  if (error) return <Failure error={error} onRetry={refetch} />;
  if (!data) return <Loader aria-label={t('table.loading')} />;
  const { realm, limits } = data;
  return (
    <Stack>
      <Title order={2}>{realm.name}</Title>
      <Group gap="xs">
        <SwitchRealm realm={realm} />
        <RotateRealmSecret realm={guid} />
      </Group>
      <Facts>
        <Fact label={t('realms.guid')}>{realm.guid}</Fact>
        <Fact label={t('realms.state')}>
          {realm.disabled_at === null ? (
            t('realms.enabled')
          ) : (
            <>
              {t('realms.disabledSince')} <Time at={realm.disabled_at} />
            </>
          )}
        </Fact>
        <Fact label={t('realms.createdAt')}>
          <Time at={realm.created_at} />
        </Fact>
      </Facts>
      <Group gap="md">
        <RealmLink to="/realms/$realm/provider-applications" realm={guid}>
          {t('providerApplications.title')}
        </RealmLink>
        <RealmLink to="/realms/$realm/api-keys" realm={guid}>
          {t('apiKeys.title')}
        </RealmLink>
        <RealmLink to="/realms/$realm/audit" realm={guid}>
          {t('audit.title')}
        </RealmLink>
      </Group>
      <Divider />
      <RealmLimits key={JSON.stringify(limits)} realm={guid} limits={limits} />
      <Divider />
      <RealmCompatibility
        realm={guid}
        clients={realm.compatibility}
        hasUserLicenses={realm.user_licenses}
      />
    </Stack>
  );
}

interface LinkProps {
  readonly to:
    | '/realms/$realm/provider-applications'
    | '/realms/$realm/api-keys'
    | '/realms/$realm/audit';
  readonly realm: string;
  readonly children: string;
}

const RealmLink = ({ to, realm, children }: LinkProps) => (
  <Anchor size="sm" renderRoot={(props) => <Link to={to} params={{ realm }} {...props} />}>
    {children}
  </Anchor>
);

function SwitchRealm({ realm }: { readonly realm: CallReply<'realms.show'>['realm'] }) {
  const { t } = useTranslation();
  const change = useChange('realms.switch', {
    done: ({ disabledAt }) =>
      disabledAt === null ? t('realms.enabledDone') : t('realms.disabledDone'),
  });
  const isEnabled = realm.disabled_at === null;
  return (
    <ConfirmButton
      key={String(isEnabled)}
      size="xs"
      variant="outline"
      {...(isEnabled && { color: 'red' })}
      label={isEnabled ? t('realms.disable') : t('realms.enable')}
      consequence={isEnabled ? t('realms.disableConsequence') : t('realms.enableConsequence')}
      isPending={change.isPending}
      onConfirm={() => change.mutateAsync({ realm: realm.guid, enabled: !isEnabled })}
    />
  );
}
