import {
  context,
  type Context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { markFailed, tracer } from './spans.ts';

/**
 * Gives every HTTP request a span, within the client's trace if the client names one, from its
 * head to the end of its answer. It names the route alone: paths and query strings hold people's
 * addresses and secrets.
 */
export function traceRequests(server: FastifyInstance): void {
  const places = new WeakMap<FastifyRequest, Context>();
  server.addHook('onRequest', (request, reply, next) => {
    const { method, routeOptions } = request;
    const { url: route } = routeOptions;
    const cause = propagation.extract(ROOT_CONTEXT, request.headers);
    const attributes = {
      'http.request.method': method,
      'url.scheme': request.protocol,
      ...(route !== undefined && { 'http.route': route }),
    };
    const name = route === undefined ? method : `${method} ${route}`;
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, cause);
    if (span.isRecording()) {
      reply.raw.once('close', () => {
        const { statusCode } = reply.raw;
        span.setAttribute('http.response.status_code', statusCode);
        if (statusCode >= 500) markFailed(span, String(statusCode));
        span.end();
      });
      places.set(request, trace.setSpan(cause, span));
    }
    next();
  });
  // Not before the body has been read: reading it would lose the place.
  server.addHook('preHandler', (request, _reply, next) => {
    const place = places.get(request);
    if (place) context.with(place, next);
    else next();
  });
}
