import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useChange } from '../../api/use-change.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { CopySecretButton } from '../../components/CopySecretButton.tsx';
import { Fact, Facts } from '../../components/Facts.tsx';
import type { NamedApplication } from './named-application.ts';

interface Props {
  readonly named: NamedApplication;
  /** Null when the installation takes no postbacks. */
  readonly url: string | null;
}

/** Where the provider reports changes, and with which password. */
export function Postbacks({ named, url }: Props) {
  const { t } = useTranslation();
  const show = useChange('provider-applications.show-postback', { isSecret: true });
  const rotate = useChange('provider-applications.rotate-postback', {
    done: () => t('providerApplications.postbackRotated'),
    isSecret: true,
  });
  const forget = () => {
    show.reset();
    rotate.reset();
  };
  return (
    <>
      <Text size="sm">{t('providerApplications.postbacksHint')}</Text>
      <Facts>
        <Fact label={t('providerApplications.postbackUrl')}>
          {url ?? t('providerApplications.noPostbacks')}
        </Fact>
      </Facts>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          loading={show.isPending}
          onClick={() => show.mutate(named)}
        >
          {t('providerApplications.showPostback')}
        </Button>
        <ConfirmButton
          size="xs"
          variant="outline"
          color="red"
          label={t('providerApplications.rotatePostback')}
          consequence={t('providerApplications.rotatePostbackConsequence')}
          isPending={rotate.isPending}
          onConfirm={() => rotate.mutateAsync(named)}
        />
      </Group>
      <PasswordModal credentials={rotate.data ?? show.data} onClose={forget} />
    </>
  );
}

interface PasswordProps {
  readonly credentials: CallReply<'provider-applications.show-postback'> | undefined;
  readonly onClose: () => void;
}

function PasswordModal({ credentials, onClose }: PasswordProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={credentials !== undefined}
      onClose={onClose}
      title={t('providerApplications.postbackCredentials')}
      centered
      size="lg"
      zIndex={300}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {credentials && (
        <Stack>
          <Facts>
            <Fact label={t('providerApplications.userName')}>
              <Code>{credentials.userName}</Code>
            </Fact>
            <Fact label={t('providerApplications.password')}>
              <Code>{credentials.password}</Code>
            </Fact>
          </Facts>
          <Group justify="flex-end">
            <CopySecretButton
              value={credentials.password}
              label={t('providerApplications.copyPassword')}
            />
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
