import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';

export type Crawls = NonNullable<CallReply<'provider-applications.show'>['crawls']>;

const colors: Readonly<Record<Crawls['state'], string>> = {
  idle: 'teal',
  due: 'blue',
  crawling: 'blue',
  'backing off': 'orange',
  unauthorized: 'red',
  paused: 'gray',
  disabled: 'gray',
};

/** The state of the crawls of a provider application, in a word and a color. */
export function CrawlState({ state }: { readonly state: Crawls['state'] | undefined }) {
  const { t } = useTranslation();
  return (
    <Badge variant="dot" color={state ? colors[state] : 'gray'} tt="none" fw={500}>
      {state ? t(`providerApplications.states.${state}`) : t('providerApplications.unknown')}
    </Badge>
  );
}
