import { describe, expect, it } from 'vitest';
import { customWithFreeSeats, parseLicenseSeats } from './license-data.ts';

const text = JSON.stringify;

describe('license_data of custom', () => {
  it.each([
    [
      { swimming: { seats_available: 5 }, diving: { seats_available: '7' } },
      { swimming: 5, diving: 7 },
    ],
    [{ swimming: { seats_available: 0, sold: 3 } }, { swimming: 0 }],
    [{}, {}],
    [[], {}],
  ])('sets the seats: %j', (license_data, seats) => {
    expect(parseLicenseSeats(text({ license: 'x', license_data }), true)).toEqual(
      new Map(Object.entries(seats)),
    );
  });

  it.each([null, '', ' ', '{}', '[]', '{"license_data":null}', '{"order_id":"4711"}'])(
    'sets no seats when it is missing: %j',
    (custom) => {
      expect(parseLicenseSeats(custom, true)).toBeNull();
    },
  );

  it.each([
    'no JSON',
    '"text"',
    '[1]',
    text({ license_data: 5 }),
    text({ license_data: [1] }),
    text({ license_data: { swimming: 5 } }),
    text({ license_data: { swimming: {} } }),
    text({ license_data: { swimming: { seats_available: -1 } } }),
    text({ license_data: { swimming: { seats_available: 1.5 } } }),
    text({ license_data: { swimming: { seats_available: 3_000_000_000 } } }),
  ])('Malformed license data is rejected for a license and ignored for others: %s', (custom) => {
    expect(() => parseLicenseSeats(custom, true)).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
    expect(parseLicenseSeats(custom, false)).toBeNull();
  });
});

describe('custom of a license', () => {
  it('shows the free seats and keeps all other keys', () => {
    const custom = text({
      order_id: '4711',
      license_data: { swimming: { seats_available: 5, price: 3 } },
      initiating_user: 'shop@example.com',
    });
    expect(customWithFreeSeats(custom, { swimming: 2, diving: 1 })).toBe(
      text({
        order_id: '4711',
        license_data: {
          swimming: { seats_available: 2, price: 3 },
          diving: { seats_available: 1 },
        },
        initiating_user: 'shop@example.com',
      }),
    );
  });

  it('shows the free seats if it was given without license_data', () => {
    const shown = text({ license_data: { swimming: { seats_available: 2 } } });
    for (const custom of [null, '', '{}', '[]']) {
      expect(customWithFreeSeats(custom, { swimming: 2 })).toBe(shown);
    }
  });

  it('custom of a license is returned unchanged without seats, and if it is not a JSON object', () => {
    expect(customWithFreeSeats('{ "a": 1 }', {})).toBe('{ "a": 1 }');
    expect(customWithFreeSeats('words', { swimming: 2 })).toBe('words');
    expect(customWithFreeSeats(null, {})).toBeNull();
  });
});
