import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { CollectedSpan, RunningSystem, TraceCollector } from '#libs/testing';
import { ApiClient } from './client.ts';

/** A client's own span, and the header by which its program sends the place along. */
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

/** The traces of a system lead from a client's request to all that it causes. */
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
  /** What stands above a span. */
  const wayTo = (span: CollectedSpan): string[] => {
    const parent = parentOf(span);
    return parent ? [...wayTo(parent), `${parent.kind} ${parent.name}`] : [];
  };
  /** A span of a client's trace, once all that stands above it is here too. */
  const spanOf = (client: ClientSpan, named: string) =>
    collector().until(
      (span) =>
        `${span.kind} ${span.name}` === named && rootOf(span).parentSpanId === client.spanId,
    );

  it('lead from a request over the bus to SQL and to the provider, and on through its event', async () => {
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
    expect(wayTo(handled)).toEqual([...answered, `producer send ${event}`]);
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
    expect(wayTo(called)).toEqual(answered);
    const served = await spanOf(client, 'server POST /api/v2/registrations');
    expect(parentOf(served)).toBe(called);

    const stored = await spanOf(client, 'client INSERT enrolment');
    expect(wayTo(stored)).toEqual(answered);
    expect(stored.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.query.text': expect.stringMatching(/^INSERT INTO registrations .*\$1/),
    });
  });

  it('lead from an index that asks the provider anew through the crawler', async () => {
    const client = clientSpan();
    const wanted = { ...api().realm, learner_id: learner, crawl: 't' };
    const answer = await api().get('/registration.json', wanted, client.headers);
    expect(answer.status).toBe(200);
    const called = await spanOf(client, 'client GET registrations/{id}');
    expect(wayTo(called)).toEqual([
      'server GET /api/v2/registration.:suffix',
      'client enrolment.recrawl-registrations',
      'server enrolment.recrawl-registrations',
      'client crawler.crawl-registrations',
      'server crawler.crawl-registrations',
    ]);
    const listed = await spanOf(client, 'server enrolment.index-registrations');
    const read = await collector().until(({ parentSpanId }) => parentSpanId === listed.spanId);
    expect(read.name).toBe('SELECT enrolment');
  });

  it('begin with every crawl that nobody asked for, and go on where its event is handled', async () => {
    const applied = await collector().until(
      (span) =>
        span.name === 'process crawler.registrations-crawled' &&
        rootOf(span).name.startsWith('crawl '),
    );
    const crawl = rootOf(applied);
    expect(crawl.kind).toBe('internal');
    expect(crawl.parentSpanId).toBeUndefined();
    const called = await collector().until(
      ({ name, parentSpanId }) => /^GET registrations/.test(name) && parentSpanId === crawl.spanId,
    );
    expect(called.attributes).toMatchObject({ 'http.response.status_code': 200 });
  });

  it('keep requests apart that travel together', async () => {
    const clients = Array.from({ length: 20 }, clientSpan);
    await Promise.all(
      clients.map(({ headers }) => api().get('/course.json', api().realm, headers)),
    );
    for (const client of clients) {
      const listed = await spanOf(client, 'server catalog.index-courses');
      expect(listed.traceId).toBe(client.traceId);
    }
  });
}
