import { Button } from '@mantine/core';
import { PencilIcon } from '@primer/octicons-react/PencilIcon';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { useSession } from '../../api/session.ts';
import { useChange } from '../../api/use-change.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { editReportRoute, reportRoute, reportsRoute } from './reports-routes.ts';

interface Props {
  readonly realm: string;
  readonly report: CallReply<'reports.show'>;
}

/** The buttons that edit a report, for operators, and that delete it. A report that is built in has none. */
export function ChangeReport({ realm, report }: Props) {
  const { t } = useTranslation();
  const { operator } = useSession().roles;
  const navigate = useNavigate({ from: reportRoute.fullPath });
  const { name, query_scope: scope } = report;
  const application = report.provider_application_id ?? undefined;
  const remove = useChange('reports.delete', {
    done: () => t('reports.deleted', { name }),
    leave: () => navigate({ to: reportsRoute.to, params: { realm }, replace: true }),
  });
  if (scope === 'bright') return null;
  return (
    <>
      {operator && (
        <Button
          size="xs"
          variant="default"
          leftSection={<PencilIcon size={14} aria-hidden />}
          renderRoot={(props) => (
            <Link
              to={editReportRoute.to}
              params={{ realm, report: name }}
              search={{ scope, application }}
              {...props}
            />
          )}
        >
          {t('reports.edit')}
        </Button>
      )}
      <ConfirmButton
        size="xs"
        variant="default"
        color="red"
        label={t('reports.delete')}
        consequence={t('reports.deleteConsequence', { name })}
        isPending={remove.isPending}
        onConfirm={() => remove.mutateAsync({ realm, report: name, scope, application })}
      />
    </>
  );
}
