import {
  context,
  type Context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { markSpanFailed, tracer } from '@registrar/platform';

/**
 * Creates a span for every HTTP request, from its head to the end of its response, within the
 * client's trace if the request names one. The span has the route only: paths and query strings may
 * contain e-mail addresses and secrets.
 */
export function traceHttpRequests(server: FastifyInstance): void {
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
        if (statusCode >= 500) markSpanFailed(span, String(statusCode));
        span.end();
      });
      places.set(request, trace.setSpan(cause, span));
    }
    next();
  });
  // In preHandler, because reading the body loses the asynchronous context.
  server.addHook('preHandler', (request, _reply, next) => {
    const place = places.get(request);
    if (place) context.with(place, next);
    else next();
  });
}
