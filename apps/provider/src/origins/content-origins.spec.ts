import { describe, expect, it } from 'vitest';
import { ContentOrigins } from './content-origins.ts';

const listening = { httpAdapter: { getHttpServer: () => ({ address: () => ({ port: 8090 }) }) } };
const origins = (configured: string | null) =>
  new ContentOrigins(
    configured,
    listening as unknown as ConstructorParameters<typeof ContentOrigins>[1],
  );

describe('ContentOrigins', () => {
  it('puts the label of a launch in place of the wildcard', () => {
    expect(origins('https://*.content.example.com/provider/').urlOf('a1')).toBe(
      'https://a1.content.example.com/provider',
    );
    expect(origins(null).urlOf('a1')).toBe('http://a1.localhost:8090');
    expect(origins('https://content.example.com').urlOf('a1')).toBe('https://content.example.com');
  });

  it('tells the hosts of launches from that of the API', () => {
    const own = origins('https://*.content.example.com');
    expect(own.parse('a1.content.example.com')).toEqual({ label: 'a1' });
    expect(own.parse('A1.Content.Example.com.:8443')).toEqual({ label: 'a1' });
    for (const host of ['content.example.com', 'provider:8090', '[::1]:8090', '', undefined]) {
      expect([host, own.parse(host)]).toEqual([host, 'api']);
    }
    expect(origins(null).parse('localhost:8090')).toBe('api');
    expect(origins(null).parse('a1.localhost:8090')).toEqual({ label: 'a1' });
  });

  it('tells an origin that all launches share from that of the API', () => {
    const shared = origins('http://127.0.0.1:8090');
    expect(shared.parse('127.0.0.1:8090')).toBe('shared');
    expect(shared.parse('localhost:8090')).toBe('api');
  });
});
