import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '@registrar/testing';
import { type GatewayFixture, startGatewayFixture } from '../gateway.fixture.ts';

describe('the log of requests', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());

  it.each([
    ['registration launch_url', 'GET', '/registration/reg-9/launch_url.json'],
    ['template create', 'POST', '/template.json?name=welcome'],
    ['course index', 'GET', '/course.json'],
  ])(
    'a request that was carried out is logged at level info: %s',
    async (operation, method, path) => {
      const access = `${path.includes('?') ? '&' : '?'}api_key=key-of-realm`;
      const { headers, status } = await gateway.get(path + access, { method });
      expect(status).toBeLessThan(300);
      const id = headers.get('x-request-id');
      const line = await eventually('the line is logged', () =>
        gateway
          .lines()
          .find((each) => each['request_id'] === id && each['msg'] === 'request served'),
      );
      expect(line).toMatchObject({
        level: 'info',
        operation,
        status,
        account: expect.stringMatching(/realm \d+/),
        client_address: '127.0.0.1',
      });
      expect(JSON.stringify(line)).not.toContain('key-of-realm');
    },
  );

  it('a refused request has one line, that of the refusal', async () => {
    const { headers } = await gateway.get('/course.json?api_key=wrong');
    const id = headers.get('x-request-id');
    await gateway.get('/course.json?api_key=key-of-realm');
    const lines = gateway.lines().filter((line) => line['request_id'] === id);
    expect(lines).toMatchObject([{ msg: 'request refused', status: 401 }]);
  });
});
