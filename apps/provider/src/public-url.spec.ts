import { describe, expect, it } from '@jest/globals';
import { PublicUrl } from './public-url.ts';

const listening = { httpAdapter: { getHttpServer: () => ({ address: () => ({ port: 8090 }) }) } };
const publicUrl = (configured: string | null) =>
  new PublicUrl(configured, listening as unknown as ConstructorParameters<typeof PublicUrl>[1]);

describe('PublicUrl', () => {
  it('returns the configured URL without its trailing slash', () => {
    expect(publicUrl('https://learn.example.com/provider/').value).toBe(
      'https://learn.example.com/provider',
    );
  });

  it('returns localhost with the port if no URL is configured', () => {
    expect(publicUrl(null).value).toBe('http://localhost:8090');
  });
});
