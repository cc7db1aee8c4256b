import { describe, expect, it } from 'vitest';
import { capacityOf, storeProcessors } from './capacity-model.ts';

describe('the capacity model', () => {
  const light = { contexts: 0.05, PostgreSQL: 0.02, RabbitMQ: 0.01 };

  it('limits the requests by the group that uses the most of its processors', () => {
    const { requestsPerSecond, saturated, usage } = capacityOf({ HTTP: 0.4, ...light }, 1);
    expect(saturated).toBe('HTTP');
    expect(requestsPerSecond).toBeCloseTo(2_500);
    expect(usage.HTTP).toBeCloseTo(1);
    expect(usage.contexts).toBeCloseTo(0.125);
    expect(usage.PostgreSQL).toBeCloseTo(0.05 / storeProcessors);
  });

  it('shares the work of the gateway and the contexts evenly by their replicas', () => {
    expect(capacityOf({ HTTP: 0.4, ...light }, 4).requestsPerSecond).toBeCloseTo(10_000);
    const contexts = { HTTP: 0.4, contexts: 0.8 };
    expect(capacityOf(contexts, 2)).toMatchObject({ saturated: 'contexts', usage: { HTTP: 0.5 } });
  });

  it('gives the stores no more processors when replicas are added', () => {
    const cpuMs = { HTTP: 1, contexts: 1, PostgreSQL: 2, RabbitMQ: 0.1 };
    expect(capacityOf(cpuMs, 1).saturated).toBe('HTTP');
    const four = capacityOf(cpuMs, 4);
    expect(four.saturated).toBe('PostgreSQL');
    expect(four.requestsPerSecond).toBeCloseTo((storeProcessors * 1_000) / 2);
    expect(capacityOf(cpuMs, 8)).toMatchObject({ requestsPerSecond: four.requestsPerSecond });
  });

  it('throws for a request that took no processor time', () => {
    expect(() => capacityOf({ HTTP: 0 }, 1)).toThrow('the request took no processor time');
  });

  it('the capacity model does not count the load generator', () => {
    expect(capacityOf({ HTTP: 0.5, clients: 5 }, 1).requestsPerSecond).toBeCloseTo(2_000);
  });
});
