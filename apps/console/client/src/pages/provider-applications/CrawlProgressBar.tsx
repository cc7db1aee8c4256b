import { Progress, Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../components/format-duration.ts';
import { useNow } from '../../components/use-every-second.ts';
import type { Crawls } from './CrawlState.tsx';
import { doneOf, estimateEnd } from './estimate-end.ts';

/** The names of crawls in the catalogues. */
const kinds = [
  'all-registrations',
  'changed-registrations',
  'courses',
  'registrations-by-name',
] as const;

/** The name of a kind of crawl for a reader. */
export function crawlKind(t: TFunction, kind: string): string {
  const known = kinds.find((each) => each === kind);
  return known ? t(`providerApplications.kinds.${known}`) : kind;
}

/** The crawl in progress: a bar, what was read, and an estimate of its end. */
export function CrawlProgressBar({ crawls }: { readonly crawls: Crawls }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { running, items, expected, windows } = crawls;
  if (running === null || items === null) return null;
  const count = (value: number) => value.toLocaleString(i18n.language);
  const done = doneOf(crawls);
  const end = estimateEnd(crawls, now);
  const read =
    done === null || expected === null
      ? t('providerApplications.read', { items: count(items) })
      : t('providerApplications.readOf', { items: count(items), expected: count(expected) });
  return (
    <div>
      <Text size="sm" mb={4}>
        {crawlKind(t, running)}
      </Text>
      <Progress
        value={(done ?? 1) * 100}
        animated={done === null}
        striped={done === null}
        size="lg"
        aria-label={crawlKind(t, running)}
        {...(done === null && { 'aria-valuetext': read })}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {[
          read,
          ...(end === null
            ? []
            : [t('providerApplications.left', { time: formatDuration(end, i18n.language) })]),
          ...(windows ? [t('providerApplications.windows', { count: windows })] : []),
        ].join(' · ')}
      </Text>
    </div>
  );
}
