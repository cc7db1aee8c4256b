import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useCall } from '../../api/use-call.ts';
import { useChange } from '../../api/use-change.tsx';
import { CheckedSql } from './CheckedSql.tsx';
import { reportRoute } from './reports-routes.ts';

interface Props {
  readonly realm: string;
  /** The query that is changed; null for a new one. */
  readonly stored: CallReply<'reports.show'> | null;
}

/** A query: its name, its owner and its text. The name and the owner of a stored one cannot be changed. */
export function ReportForm({ realm, stored }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [name, setName] = useState(stored?.name ?? '');
  const [application, setApplication] = useState(stored?.provider_application_id ?? null);
  const [sql, setSql] = useState(stored?.sql ?? t('reports.firstQuery'));
  const { data } = useCall('provider-applications.list', { realm, limit: 200 });
  const put = useChange('reports.put', { done: () => t('reports.saved', { name }) });
  const save = async () => {
    const kept = await put.mutateAsync({ realm, name, application, sql });
    const search = { scope: kept.query_scope, application: application ?? undefined };
    await navigate({ to: reportRoute.to, params: { realm, report: kept.name }, search });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Whoever makes the change shows its failure.
    void save().catch(() => undefined);
  };
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack maw={1_100}>
        <Group align="flex-start">
          <TextInput
            label={t('reports.name')}
            description={t('reports.nameHint')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            pattern="[A-Za-z0-9_.\-]{1,100}"
            maxLength={100}
            required
            disabled={stored !== null}
          />
          <Select
            label={t('reports.scope')}
            description={t('reports.scopeHint')}
            disabled={stored !== null}
            allowDeselect={false}
            data={[
              { value: '', label: t('reports.scopes.realm') },
              ...(data?.items ?? []).map((each) => ({
                value: String(each.id),
                label: `${each.name} (${each.id})`,
              })),
            ]}
            value={application === null ? '' : String(application)}
            onChange={(chosen) => setApplication(chosen ? Number(chosen) : null)}
          />
        </Group>
        <CheckedSql value={sql} onChange={setSql} />
        <Group>
          <Button type="submit" loading={put.isPending}>
            {t('reports.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
