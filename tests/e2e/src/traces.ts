import { expect, it } from 'vitest';
import { randomBytes } from 'node:crypto';
import type { RunningSystem } from '@registrar/standalone/testing';
import type { CollectedSpan, TraceCollector } from '@registrar/testing';
import { ApiClient } from './client.ts';

/** The span of a client, and the header that propagates it. */
interface ClientSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly headers: { readonly traceparent: string };
}

function clientSpan(): ClientSpan {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
}

/** Checks that a trace connects a client's request with all work that it causes. */
export function describeTraces(
  running: () => RunningSystem,
  collector: () => TraceCollector,
): void {
  const api = () => new ApiClient(running());
  const learner = 'ada.of-the-traces@example.com';

  const parentOf = (span: CollectedSpan) =>
    collector().spans.find(({ spanId }) => spanId === span.parentSpanId);
  const rootOf = (span: CollectedSpan): CollectedSpan => {
    const parent = parentOf(span);
    return parent ? rootOf(parent) : span;
  };
  /** Returns the ancestors of a span, root first. */
  const ancestorsOf = (span: CollectedSpan): string[] => {
    const parent = parentOf(span);
    return parent ? [...ancestorsOf(parent), `${parent.kind} ${parent.name}`] : [];
  };
  /** Waits for a span of a client's trace and for all its ancestors. */
  const spanOf = (client: ClientSpan, named: string) =>
    collector().waitForSpan(
      `a span ${named} below the client's`,
      (span) =>
        `${span.kind} ${span.name}` === named && rootOf(span).parentSpanId === client.spanId,
    );

  it('a trace connects a request with its SQL, its call of the provider and its event', async () => {
    const client = clientSpan();
    const wanted = { course_guid: running().quickstart.course_guid, learner_id: learner };
    const registration = { ...api().realm, ...wanted };
    const answer = await api().post('/registration.json', registration, client.headers);
    expect(answer.status).toBe(201);
    const answered = [
      'server POST /api/v2/registration.:suffix',
      'client enrolment.create-registration',
      'server enrolment.create-registration',
    ];

    const event = 'enrolment.registration-created';
    const handled = await spanOf(client, `consumer process ${event}`);
    expect(ancestorsOf(handled)).toEqual([...answered, `producer send ${event}`]);
    expect(handled).toMatchObject({
      links: [{ traceId: client.traceId, spanId: handled.parentSpanId }],
      attributes: {
        'messaging.operation.type': 'process',
        'messaging.destination.name': event,
        'registrar.outcome': 'handled',
      },
    });
    expect(rootOf(handled)).toMatchObject({
      traceId: client.traceId,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v2/registration.:suffix',
        'http.response.status_code': 201,
      },
    });

    const called = await spanOf(client, 'client POST registrations');
    expect(ancestorsOf(called)).toEqual(answered);
    const served = await spanOf(client, 'server POST /api/v2/registrations');
    expect(parentOf(served)).toBe(called);

    const stored = await spanOf(client, 'client WITH enrolment');
    expect(ancestorsOf(stored)).toEqual(answered);
    expect(stored.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.query.text': expect.stringMatching(/^WITH .* INSERT INTO registrations .*\$1/),
    });
  });

  it('a trace connects an index with crawl=t with the call of the provider by the crawler', async () => {
    const client = clientSpan();
    const wanted = { ...api().realm, learner_id: learner, crawl: 't' };
    const answer = await api().get('/registration.json', wanted, client.headers);
    expect(answer.status).toBe(200);
    const called = await spanOf(client, 'client GET registrations/{id}');
    expect(ancestorsOf(called)).toEqual([
      'server GET /api/v2/registration.:suffix',
      'client enrolment.recrawl-registrations',
      'server enrolment.recrawl-registrations',
      'client crawler.crawl-registrations',
      'server crawler.crawl-registrations',
    ]);
    const listed = await spanOf(client, 'server enrolment.index-registrations');
    const read = await collector().waitForSpan(
      'a span below the index',
      ({ parentSpanId }) => parentSpanId === listed.spanId,
    );
    expect(read.name).toBe('SELECT enrolment');
  });

  it('a scheduled crawl starts a trace that continues where its event is handled', async () => {
    const applied = await collector().waitForSpan(
      'a span of a handled crawl',
      (span) =>
        span.name === 'process crawler.registrations-crawled' &&
        rootOf(span).name.startsWith('crawl '),
    );
    const crawl = rootOf(applied);
    expect(crawl.kind).toBe('internal');
    expect(crawl.parentSpanId).toBeUndefined();
    const called = await collector().waitForSpan(
      'a call of the provider below the crawl',
      ({ name, parentSpanId }) => /^GET registrations/.test(name) && parentSpanId === crawl.spanId,
    );
    expect(called.attributes).toMatchObject({ 'http.response.status_code': 200 });
  });

  it('concurrent requests have separate traces', async () => {
    const clients = Array.from({ length: 20 }, clientSpan);
    await Promise.all(
      clients.map(({ headers }) => api().get('/registration.json', api().realm, headers)),
    );
    for (const client of clients) {
      const listed = await spanOf(client, 'server enrolment.index-registrations');
      expect(listed.traceId).toBe(client.traceId);
    }
  });
}
