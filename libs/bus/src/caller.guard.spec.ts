import { describe, expect, it } from 'vitest';
import type { Permission, RequestContract } from '@registrar/contracts';
import { parseMetrics, testLogger, testScope } from '@registrar/testing';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { Registry } from 'prom-client';
import { change, greet, look } from './bus-apps.fixture.ts';
import { BusMetrics } from './bus-metrics.ts';
import { CallerGuard } from './caller.guard.ts';
import type { RequestContext } from './message-context.ts';
import { RejectedMessages } from './rejected-messages.ts';

describe('the guard of requests', () => {
  const log = testLogger('bus');
  const registry = new Registry();
  const guard = new CallerGuard(new RejectedMessages(new BusMetrics(registry), log.logger));
  const passes = (contract: RequestContract, sender: string, input: unknown = {}) => {
    const context: RequestContext = { contract, sender, deadline: 0, sentAt: 0 };
    return guard.canActivate(new ExecutionContextHost([input, context]));
  };
  const failure = (code: string) => expect.objectContaining({ code }) as unknown as Error;

  it('the guard of requests passes those of the callers and of the context itself', () => {
    for (const sender of ['gateway', 'crawler', 'catalog']) {
      expect(passes(greet, sender)).toBe(true);
    }
  });

  it('the guard of requests rejects, counts and logs those of any other app', async () => {
    expect(() => passes(greet, 'provider')).toThrow(failure('internal'));
    expect(log.lines()).toMatchObject([
      { reason: 'forbidden', sender: 'provider', request: 'catalog.greet' },
    ]);
    const { value } = parseMetrics(await registry.metrics());
    expect(value('registrar_bus_rejected_messages_total', { reason: 'forbidden' })).toBe(1);
  });

  it('the guard of requests passes a scope that has the permission alone', () => {
    const scope = (...permissions: Permission[]) => ({ scope: testScope({ permissions }) });
    expect(passes(look, 'gateway', scope('read'))).toBe(true);
    expect(passes(change, 'gateway', scope('launch', 'write'))).toBe(true);
    const missing = failure('unauthenticated');
    expect(() => passes(change, 'gateway', scope('read', 'launch'))).toThrow(missing);
    expect(() => passes(look, 'gateway', scope())).toThrow(missing);
  });

  it.each([[{}], [{ scope: {} }], [{ scope: { permissions: 'read' } }]])(
    'The guard of requests rejects %j as invalid where a permission is required',
    (input) => {
      expect(() => passes(look, 'gateway', input)).toThrow(failure('invalid'));
    },
  );
});
