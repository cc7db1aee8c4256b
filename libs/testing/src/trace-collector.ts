import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { eventually } from './eventually.ts';

const attributes = z
  .array(
    z.object({
      key: z.string(),
      value: z.object({
        stringValue: z.string().optional(),
        intValue: z.coerce.number().optional(),
        boolValue: z.boolean().optional(),
      }),
    }),
  )
  .transform((all) =>
    Object.fromEntries(
      all.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.boolValue]),
    ),
  );

/** The part of an OTLP export request that suites read (opentelemetry-proto, trace.proto). */
const exportRequest = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              attributes,
              links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
              status: z.object({ code: z.number().default(0) }),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** A span as a collector receives it. */
export interface CollectedSpan {
  /** Name of the process that created the span. */
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly failed: boolean;
}

const kinds = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const failedStatus = 2;

/** A collector of traces in the test process: OTLP over HTTP, as JSON. */
export interface TraceCollector {
  /** Value for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** The bodies of all export requests, unchanged. */
  readonly bodies: readonly string[];
  /**
   * Waits for a span that satisfies the predicate, and returns the first.
   *
   * @param awaited the awaited span as a clause, for the failure's message
   */
  waitForSpan(awaited: string, matches: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  close(): Promise<void>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      spans.push(...parseSpans(body));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    waitForSpan: (awaited, matches) =>
      eventually(`${awaited} arrives`, () => {
        const found = spans.find(matches);
        if (found) return found;
        throw new Error(`${spans.length} other spans, last: ${spans.at(-1)?.name ?? 'none'}`);
      }),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function parseSpans(body: string): CollectedSpan[] {
  const { resourceSpans } = exportRequest.parse(JSON.parse(body));
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ kind, status, ...span }) => ({
        ...span,
        service: String(resource.attributes['service.name']),
        kind: kinds[kind] ?? 'internal',
        failed: status.code === failedStatus,
      })),
    ),
  );
}
