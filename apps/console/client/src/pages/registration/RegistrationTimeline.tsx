import { Alert, Button, Code, Loader, Text, Timeline } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react/AlertIcon';
import { CheckIcon } from '@primer/octicons-react/CheckIcon';
import { CloudIcon } from '@primer/octicons-react/CloudIcon';
import { PlayIcon } from '@primer/octicons-react/PlayIcon';
import { PlusIcon } from '@primer/octicons-react/PlusIcon';
import { PersonIcon } from '@primer/octicons-react/PersonIcon';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, CallReply } from '../../../../src/calls/calls.ts';
import { call } from '../../api/call.ts';
import { Failure } from '../../components/Failure.tsx';
import { Time } from '../../components/Time.tsx';
import { CompletionBadge, SuccessBadge } from '../registrations/ResultBadge.tsx';
import { ActorName } from './ActorName.tsx';
import { useRefetchOn } from './use-refetch-on.ts';

interface Props {
  readonly named: CallInput<'registrations.show-timeline'>;
  /** When the registration was updated: the timeline is read again when it changes. */
  readonly version: string;
}

type Reply = CallReply<'registrations.show-timeline'>;
type Item = Reply['items'][number];

const icons: Readonly<Record<Item['kind'], typeof CheckIcon>> = {
  created: PlusIcon,
  'created-at-provider': PlusIcon,
  launched: PlayIcon,
  'launches-ended': PlayIcon,
  accessed: PlayIcon,
  completed: CheckIcon,
  crawled: CloudIcon,
  'crawl-failed': AlertIcon,
  act: PersonIcon,
};

/** What happened to a registration, the newest first. */
export function RegistrationTimeline({ named, version }: Props) {
  const { t } = useTranslation();
  const query = useTimeline(named);
  const { data, error, refetch } = query;
  useRefetchOn(version, refetch);
  if (!data) {
    return error ? (
      <Failure error={error} onRetry={refetch} />
    ) : (
      <Loader aria-label={t('table.loading')} />
    );
  }
  const items = data.pages.flatMap((page) => page.items);
  const nextCrawl = data.pages[0]?.nextCrawl ?? null;
  return (
    <>
      <Timeline bulletSize={24} lineWidth={2} active={items.length}>
        {items.map((item, place) => {
          const Icon = icons[item.kind];
          return (
            <Timeline.Item
              key={place}
              bullet={<Icon size={14} aria-hidden />}
              title={titleOf(item, t(`registration.events.${item.kind}`))}
            >
              <Text size="xs" c="dimmed">
                <Time at={item.at} />
              </Text>
              <Details item={item} />
            </Timeline.Item>
          );
        })}
      </Timeline>
      {error && <Failure error={error} onRetry={refetch} />}
      {query.hasNextPage && (
        <Button
          size="xs"
          variant="default"
          mt="md"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('registration.older')}
        </Button>
      )}
      <Text size="xs" c="dimmed" mt="md">
        {nextCrawl === null ? t('registration.noNextCrawl') : t('registration.nextCrawl')}
        {nextCrawl !== null && (
          <>
            {' '}
            <Time at={nextCrawl} />
          </>
        )}
      </Text>
      <Text size="xs" c="dimmed" mt={4}>
        {t('registration.timelineBound')}
      </Text>
    </>
  );
}

/** The pages of a timeline that were read so far. */
const useTimeline = (named: Props['named']) =>
  useInfiniteQuery({
    queryKey: ['registrations.show-timeline', named],
    queryFn: ({ pageParam: after, signal }) =>
      call('registrations.show-timeline', { ...named, after }, signal),
    initialPageParam: null as Reply['next'],
    getNextPageParam: ({ next }) => next,
  });

const titleOf = (item: Item, title: string): ReactNode =>
  item.kind === 'act' ? <Code fz="sm">{item.action}</Code> : title;

function Details({ item }: { readonly item: Item }) {
  const { t } = useTranslation();
  if (item.kind === 'crawled') {
    return (
      <>
        <CompletionBadge value={item.complete} /> <SuccessBadge value={item.success} />{' '}
        <Text span size="sm">
          {item.score !== null && t('registration.scoreOf', { score: item.score })}{' '}
          {item.deleted && t('registration.deleted')}
        </Text>
      </>
    );
  }
  if (item.kind === 'crawl-failed') {
    return (
      <Alert color="red" variant="light" mt={4} p="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {item.code !== null && <Code>{item.code}</Code>} {item.message}
        </Text>
        <Text size="xs">{t('registration.failures', { count: item.failures })}</Text>
      </Alert>
    );
  }
  if (item.kind === 'act') {
    return (
      <Text size="sm">
        <ActorName {...item} />
      </Text>
    );
  }
  return null;
}
