import { Failure } from '#libs/contracts';
import * as z from 'zod';

/** What `custom` of an invitation holds; PHP writes an empty map as an empty array. */
const customObject = z.looseObject({});
const emptyList = z.tuple([]).transform((): Record<string, never> => ({}));

const seatCount = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(0).max(2_147_483_647));
const licenseData = z.union([
  emptyList,
  z.record(z.string(), z.looseObject({ seats_available: seatCount })),
]);

/** The seats that `custom` gives a licence, by course; null when it does not speak of them. */
export type GivenSeats = ReadonlyMap<string, number> | null;

function parsed(custom: string): Record<string, unknown> | null {
  if (custom.trim() === '') return {};
  try {
    return z.union([emptyList, customObject]).safeParse(JSON.parse(custom)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Reads `license_data` out of an invitation's `custom` (api-v2.md, Invitation record). An
 * invitation that is no licence may hold anything there: what cannot be read gives it no seats.
 *
 * @throws {Failure} `invalid` for a licence whose `custom` is no JSON object, or whose
 * `license_data` does not map course guids to objects with `seats_available`
 */
export function seatsGiven(custom: string | null, license: boolean): GivenSeats {
  if (custom === null) return null;
  const object = parsed(custom);
  const given = object?.['license_data'];
  if (object && (given === undefined || given === null)) return null;
  const seats = licenseData.safeParse(given);
  if (seats.success) {
    return new Map(Object.entries(seats.data).map(([guid, each]) => [guid, each.seats_available]));
  }
  if (license) throw new Failure('invalid', 'custom of a licence has no readable license_data');
  return null;
}

/** `custom` as it was given, its `license_data` showing the seats that are free now. */
export function customWithSeats(
  custom: string | null,
  free: Readonly<Record<string, number>>,
): string | null {
  if (Object.keys(free).length === 0) return custom;
  const object = parsed(custom ?? '');
  if (!object) return custom;
  const before = customObject.safeParse(object['license_data']).data ?? {};
  const entries = Object.entries(free).map(([guid, seats]) => {
    const entry = customObject.safeParse(before[guid]).data;
    return [guid, { ...entry, seats_available: seats }] as const;
  });
  return JSON.stringify({ ...object, license_data: Object.fromEntries(entries) });
}
