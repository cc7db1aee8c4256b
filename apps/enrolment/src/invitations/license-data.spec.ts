import { describe, expect, it } from '@jest/globals';
import { customWithSeats, seatsGiven } from './license-data.ts';

const text = JSON.stringify;

describe('the seats that custom gives a licence', () => {
  it.each([
    [
      { swimming: { seats_available: 5 }, diving: { seats_available: '7' } },
      { swimming: 5, diving: 7 },
    ],
    [{ swimming: { seats_available: 0, sold: 3 } }, { swimming: 0 }],
    [{}, {}],
    [[], {}],
  ])('are read from %j', (license_data, seats) => {
    expect(seatsGiven(text({ license: 'x', license_data }), true)).toEqual(
      new Map(Object.entries(seats)),
    );
  });

  it.each([null, '', ' ', '{}', '[]', '{"license_data":null}', '{"order_id":"4711"}'])(
    'are left as they are by %j',
    (custom) => {
      expect(seatsGiven(custom, true)).toBeNull();
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
  ])('cannot be read from %s, which only a licence minds', (custom) => {
    expect(() => seatsGiven(custom, true)).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(seatsGiven(custom, false)).toBeNull();
  });
});

describe('custom of a licence', () => {
  it('shows the seats that are free now, and keeps everything else', () => {
    const custom = text({
      order_id: '4711',
      license_data: { swimming: { seats_available: 5, price: 3 } },
      initiating_user: 'shop@example.com',
    });
    expect(customWithSeats(custom, { swimming: 2, diving: 1 })).toBe(
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

  it('shows them where it did not speak of them', () => {
    const shown = text({ license_data: { swimming: { seats_available: 2 } } });
    for (const custom of [null, '', '{}', '[]']) {
      expect(customWithSeats(custom, { swimming: 2 })).toBe(shown);
    }
  });

  it('is as it was given where there are none, and where it is no object', () => {
    expect(customWithSeats('{ "a": 1 }', {})).toBe('{ "a": 1 }');
    expect(customWithSeats('words', { swimming: 2 })).toBe('words');
    expect(customWithSeats(null, {})).toBeNull();
  });
});
