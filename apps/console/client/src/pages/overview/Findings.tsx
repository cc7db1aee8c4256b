import { Alert, Anchor, Group, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react/AlertIcon';
import { CheckIcon } from '@primer/octicons-react/CheckIcon';
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useLiveCall } from '../../api/use-live-call.ts';
import { Failure } from '../../components/Failure.tsx';

/** What the operator should look at, the worst first. */
export function Findings() {
  const { t } = useTranslation();
  const { data, error, refetch } = useLiveCall('overview.findings', {});
  if (error && !data) return <Failure error={error} onRetry={refetch} />;
  if (!data) return <Skeleton h={40} />;
  if (data.findings.length === 0) {
    return (
      <Group gap="xs">
        <ThemeIcon color="teal" variant="light" size="sm" radius="xl">
          <CheckIcon size={14} aria-hidden />
        </ThemeIcon>
        <Text size="sm">{t('overview.noFindings')}</Text>
      </Group>
    );
  }
  return (
    <Stack gap="xs" component="section" aria-label={t('overview.findings.title')}>
      {data.findings.map(({ level, check, subjects }) => {
        const isFault = level === 'fail';
        const Icon = isFault ? XCircleIcon : AlertIcon;
        return (
          <Alert
            key={check}
            role={undefined}
            color={isFault ? 'red' : 'orange'}
            variant="light"
            icon={<Icon aria-hidden />}
            py="xs"
          >
            <Text size="sm">
              <b>{t(isFault ? 'overview.fault' : 'overview.warning')}:</b>{' '}
              {t(`overview.findings.${check}.what`, { subjects: subjects.join(', ') })}{' '}
              {t(`overview.findings.${check}.remedy`)}
              {check === 'parked-events' && (
                <>
                  {' '}
                  <Anchor
                    inherit
                    c="inherit"
                    underline="always"
                    renderRoot={(props) => <Link to="/parked-events" {...props} />}
                  >
                    {t('parkedEvents.title')}
                  </Anchor>
                </>
              )}
            </Text>
          </Alert>
        );
      })}
    </Stack>
  );
}
