import { describe, expect, it } from '@jest/globals';
import { PublicAddress } from './public-address.ts';

const listening = { httpAdapter: { getHttpServer: () => ({ address: () => ({ port: 8090 }) }) } };
const addressOf = (given: string | null) =>
  new PublicAddress(given, listening as unknown as ConstructorParameters<typeof PublicAddress>[1]);

describe('the public address', () => {
  it('is what the operator has set, without a slash at its end', () => {
    expect(addressOf('https://learn.example.com/provider/').url).toBe(
      'https://learn.example.com/provider',
    );
  });

  it("is this machine's own where none is set", () => {
    expect(addressOf(null).url).toBe('http://localhost:8090');
  });
});
