import { Button, Group, Text, TextInput } from '@mantine/core';
import { PlayIcon } from '@primer/octicons-react/PlayIcon';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement, SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { ExportMenu } from '../../components/ExportMenu.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { Unloaded } from '../../components/Unloaded.tsx';
import { ChangeReport } from './ChangeReport.tsx';
import { reportRoute } from './reports-routes.ts';
import { ReportResult } from './ReportResult.tsx';
import { useOwnerName } from './use-owner-name.ts';

/** One stored query: its parameters as a form, and its result. The address holds the parameters of the run. */
export function ReportPage(): ReactElement {
  const { t } = useTranslation();
  const { realm, report } = reportRoute.useParams();
  const { scope, application, run } = reportRoute.useSearch();
  const navigate = useNavigate({ from: reportRoute.fullPath });
  const ownerName = useOwnerName();
  const named = { realm, report, scope, application };
  const { data, error, refetch } = useCall('reports.show', named);
  if (!data) return <Unloaded title={t('reports.one')} error={error} onRetry={refetch} />;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const entries = data.parameters.flatMap((name) => {
      const value = given.get(name);
      return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
    });
    void navigate({ search: (before) => ({ ...before, run: Object.fromEntries(entries) }) });
  };
  const input = run && { ...named, parameters: run };
  return (
    <>
      <PageHeader title={data.name} description={ownerName(data)}>
        {input && <ExportMenu list="reports" input={input} hint={t('reports.exportHint')} />}
        <ChangeReport realm={realm} report={data} />
      </PageHeader>
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
          <Button type="submit" size="xs" leftSection={<PlayIcon size={14} aria-hidden />}>
            {t('reports.run')}
          </Button>
        </Group>
      </form>
      {input ? <ReportResult input={input} /> : <Text size="sm">{t('reports.notRun')}</Text>}
    </>
  );
}
