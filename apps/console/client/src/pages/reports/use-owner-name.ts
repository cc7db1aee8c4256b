import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';

type Owner = Pick<
  CallReply<'reports.list'>['items'][number],
  'query_scope' | 'provider_application_id'
>;

/** Returns a function that says to whom a report belongs. */
export function useOwnerName(): (report: Owner) => string {
  const { t } = useTranslation();
  return useCallback(
    ({ query_scope: scope, provider_application_id: application }: Owner) =>
      application === null
        ? t(`reports.scopes.${scope}`)
        : `${t(`reports.scopes.${scope}`)} ${application}`,
    [t],
  );
}
