import { Button, Group, Text, TextInput } from '@mantine/core';
import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement, SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { Unloaded } from '../../components/Unloaded.tsx';
import { reportRoute } from './reports-routes.ts';
import { ReportResult } from './ReportResult.tsx';

/** One stored query: its parameters as a form, and its result. The address holds the parameters of the run. */
export function ReportPage(): ReactElement {
  const { t } = useTranslation();
  const { realm, report } = reportRoute.useParams();
  const { scope, run } = reportRoute.useSearch();
  const navigate = useNavigate({ from: reportRoute.fullPath });
  const named = { realm, report, scope };
  const { data, error, refetch } = useCall('reports.show', named);
  if (!data) return <Unloaded title={t('reports.one')} error={error} onRetry={refetch} />;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const entries = data.parameters.flatMap((name) => {
      const value = given.get(name);
      return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
    });
    void navigate({ search: { scope, run: Object.fromEntries(entries) } });
  };
  return (
    <>
      <PageHeader title={data.name} description={t(`reports.scopes.${data.query_scope}`)} />
      <form onSubmit={submit} key={JSON.stringify(run)}>
        <Group align="flex-end" gap="xs" mb="md">
          {data.parameters.map((name) => (
            <TextInput
              key={name}
              size="xs"
              name={name}
              label={name}
              defaultValue={run?.[name]}
              maxLength={1_000}
            />
          ))}
          <Button type="submit" size="xs" leftSection={<IconPlayerPlay size={14} aria-hidden />}>
            {t('reports.run')}
          </Button>
        </Group>
      </form>
      {run === undefined ? (
        <Text size="sm">{t('reports.notRun')}</Text>
      ) : (
        <ReportResult input={{ ...named, parameters: run }} />
      )}
    </>
  );
}
