import type { CrawlsOverview } from './crawls.ts';
import type { AppOverview, Finding } from './overview.ts';

/** An event that waits so long is stuck: seconds. */
const stuckAfterSeconds = 60;

/** A crawl that is so late is a fault: seconds. */
const lateCrawlSeconds = 600;

/** What the operator should look at, the worst first. */
export function findingsOf(apps: readonly AppOverview[], crawls: CrawlsOverview): Finding[] {
  const findings = [
    missing(apps),
    versions(apps),
    stuck(apps),
    parked(apps),
    lateCrawls(crawls),
  ].filter((found) => found !== null);
  return findings.sort((a, b) => Number(a.level === 'warn') - Number(b.level === 'warn'));
}

function missing(apps: readonly AppOverview[]): Finding | null {
  const subjects = apps.filter(({ replicas }) => replicas.length === 0).map(({ app }) => app);
  if (subjects.length === 0) return null;
  const message = `no process of ${subjects.join(', ')} has reported in the last minutes`;
  return { level: 'fail', check: 'app-missing', subjects, message, remedy: 'see their logs' };
}

function versions(apps: readonly AppOverview[]): Finding | null {
  const subjects = [
    ...new Set(apps.flatMap(({ replicas }) => replicas.map(({ version }) => version))),
  ].sort();
  if (subjects.length < 2) return null;
  const message = `several versions run: ${subjects.join(', ')}`;
  const remedy = 'finish the upgrade';
  return { level: 'warn', check: 'versions', subjects, message, remedy };
}

function stuck(apps: readonly AppOverview[]): Finding | null {
  const found = apps.filter(({ outbox }) => (outbox?.oldestSeconds ?? 0) >= stuckAfterSeconds);
  if (found.length === 0) return null;
  const subjects = found.map(({ app }) => app);
  const message = `events of ${subjects.join(', ')} wait in the outbox for more than ${stuckAfterSeconds} s`;
  const remedy = 'check that the broker and all subscribers run';
  return { level: 'fail', check: 'outbox', subjects, message, remedy };
}

function parked(apps: readonly AppOverview[]): Finding | null {
  const found = apps.filter(({ outbox }) => (outbox?.parked ?? 0) > 0);
  if (found.length === 0) return null;
  const subjects = found.map(({ app }) => app);
  const count = found.reduce((sum, { outbox }) => sum + (outbox?.parked ?? 0), 0);
  const message = `${count} parked events of ${subjects.join(', ')}`;
  const remedy = 'inspect them, then replay or discard them';
  return { level: 'warn', check: 'parked-events', subjects, message, remedy };
}

function lateCrawls({ worst, late, failing, mostLateSeconds }: CrawlsOverview): Finding | null {
  if (failing === 0 && mostLateSeconds < lateCrawlSeconds) return null;
  const message = `${late} provider applications are crawled late, ${failing} fail`;
  return {
    level: failing > 0 ? 'fail' : 'warn',
    check: 'crawls',
    subjects: worst.map(({ application }) => String(application)),
    message,
    remedy: 'see the page of the provider applications for the causes',
  };
}
