import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type GatewayFixture, startGatewayFixture } from '../gateway.fixture.ts';

const key = 'api_key=key-of-realm';

describe('settings of the gateway', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture({
      API_ROOT: '/some/prefix/api/v2',
      PUBLIC_URL: 'https://registrar.example.com',
      CORS_ORIGINS: 'https://one.example.com, https://two.example.com',
    });
  });
  afterAll(() => gateway.stop());

  it('serves /health_check outside of the API root, for every origin', async () => {
    const headers = { origin: 'https://three.example.com' };
    const response = await fetch(new URL('/health_check', gateway.base), { headers });
    expect([response.status, await response.text()]).toEqual([200, 'ok\n']);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('tells browsers to use HTTPS alone when PUBLIC_URL is HTTPS, and to send no referrer', async () => {
    for (const path of ['/health_check', '/docs', '/nowhere', '/some/prefix/api/v2/course']) {
      const { headers } = await fetch(new URL(path, gateway.base));
      expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000']);
    }
    const { headers } = await gateway.get(`/course.json?${key}`);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const socket = connect(Number(new URL(gateway.base).port), 'localhost');
    socket.write('no request\r\n\r\n');
    const unparsed = await text(socket);
    expect(unparsed).toMatch(/^HTTP\/1.1 400 /);
    expect(unparsed).toContain('\r\nstrict-transport-security: max-age=31536000\r\n');
    expect(unparsed).toContain('\r\nreferrer-policy: no-referrer\r\n');
  });

  it('serves the API below API_ROOT, and sets CORS headers for CORS_ORIGINS only', async () => {
    const allowed = async (origin: string) => {
      const response = await gateway.get(`/course.json?${key}`, { headers: { origin } });
      expect(response.status).toBe(200);
      return response.headers.get('access-control-allow-origin');
    };
    expect(await allowed('https://two.example.com')).toBe('https://two.example.com');
    expect(await allowed('https://three.example.com')).toBeNull();
  });
});
