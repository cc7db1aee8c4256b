import { Alert, Box, Button, Card, Center, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react/AlertIcon';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf, send } from '../../api/call.ts';
import { Failure } from '../../components/Failure.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { ColorSchemeMenu } from '../../shell/ColorSchemeMenu.tsx';
import { LanguageMenu } from '../../shell/LanguageMenu.tsx';
import { Logo } from '../../shell/Logo.tsx';
import { signInRoute } from './sign-in-route.ts';

/** Signs in with the identity provider, or with the one-time link whose token the address has as its fragment. */
export function SignInPage(): ReactElement {
  const { t } = useTranslation();
  const { problem, request, return: returnPath } = signInRoute.useSearch();
  const [token] = useState(() => window.location.hash.slice(1));
  return (
    <Box component="main" p="md">
      <Group justify="flex-end" gap={4}>
        <LanguageMenu />
        <ColorSchemeMenu />
      </Group>
      <Center mih="70vh">
        <Card withBorder w="100%" maw={420} padding="xl" radius="md">
          <Group gap="sm" mb="md">
            <Logo size={34} />
            <Text fw={650} size="lg">
              Registrar
            </Text>
          </Group>
          <PageHeader title={t('signIn.title')} />
          <Stack gap="md">
            {problem && (
              <Alert
                color="red"
                variant="light"
                icon={<AlertIcon aria-hidden />}
                title={t('signIn.failed')}
              >
                <Text size="sm">{t(`signIn.problems.${problem}`)}</Text>
                {request && (
                  <Text size="xs" c="dimmed" mt={4}>
                    {t('failure.request')} <Code>{request}</Code>
                  </Text>
                )}
              </Alert>
            )}
            {token !== '' && <LinkSignIn token={token} returnPath={returnPath ?? '/'} />}
            <OpenIdSignIn returnPath={returnPath ?? '/'} />
          </Stack>
        </Card>
      </Center>
    </Box>
  );
}

interface ReturnProps {
  readonly returnPath: string;
}

function OpenIdSignIn({ returnPath }: ReturnProps) {
  const { t } = useTranslation();
  const ways = useQuery({
    queryKey: ['sign-in'],
    queryFn: ({ signal }) =>
      send('GET', 'api/sign-in', undefined, signal) as Promise<{ openid: boolean }>,
  });
  if (ways.error) return <Failure error={ways.error} onRetry={ways.refetch} />;
  if (!ways.data) return <Loader size="sm" aria-label={t('table.loading')} />;
  if (!ways.data.openid) {
    return (
      <Text size="sm" c="dimmed">
        {t('signIn.linkOnly')}
      </Text>
    );
  }
  const query = new URLSearchParams({ return: returnPath }).toString();
  return (
    <Button component="a" href={addressOf(`sign-in/openid?${query}`)} fullWidth size="md">
      {t('signIn.openid')}
    </Button>
  );
}

function LinkSignIn({ token, returnPath }: ReturnProps & { readonly token: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  // A query, because a link can be used only once, however often the component is rendered.
  const { isSuccess, error } = useQuery({
    queryKey: ['sign-in-link', token],
    queryFn: () => send('POST', 'api/sign-in/link', { token }),
    retry: false,
    staleTime: Infinity,
  });
  useEffect(() => {
    if (!isSuccess) return;
    client.clear();
    void navigate({ to: returnPath, replace: true });
  }, [isSuccess, client, navigate, returnPath]);
  if (error) return <Failure error={error} />;
  return <Loader size="sm" aria-label={t('signIn.inProgress')} />;
}
