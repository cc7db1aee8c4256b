import { Failure, textLimits } from '@registrar/contracts';
import * as z from 'zod';

/** The JSON object in `custom`. PHP encodes an empty map as an empty array. */
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

/** Numbers of seats by course GUID. */
export type SeatCounts = ReadonlyMap<string, number>;

function parseCustom(custom: string): Record<string, unknown> | null {
  if (custom.trim() === '') return {};
  try {
    return z.union([emptyList, customObject]).safeParse(JSON.parse(custom)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Parses `license_data` of an invitation's `custom` (contract/invitations#license-data). Returns
 * null if it holds no `license_data`. An invitation that is no license may hold any text: without
 * readable `license_data` it has no seats.
 *
 * @throws {Failure} `invalid` for a license whose `custom` is not a JSON object, or whose
 * `license_data` does not map course GUIDs to objects with `seats_available`
 */
export function parseLicenseSeats(custom: string | null, license: boolean): SeatCounts | null {
  if (custom === null) return null;
  const object = parseCustom(custom);
  const data = object?.['license_data'];
  if (object && (data === undefined || data === null)) return null;
  const parsed = licenseData.safeParse(data);
  if (parsed.success) {
    return new Map(Object.entries(parsed.data).map(([guid, each]) => [guid, each.seats_available]));
  }
  if (license) throw new Failure('invalid', 'custom of a license has no readable license_data');
  return null;
}

/**
 * Returns `custom` with `licenseData` as its `license_data` (contract/invitations#create-license-data).
 *
 * @throws {Failure} `invalid` when `custom` is not a JSON object, or the result is too long
 */
export function customWithLicenseData(
  custom: string | null,
  licenseData: z.core.util.JSONType,
): string {
  const object = parseCustom(custom ?? '');
  if (!object) throw new Failure('invalid', 'custom is not a JSON object');
  const text = JSON.stringify({ ...object, license_data: licenseData });
  if (text.length > textLimits.custom) {
    throw new Failure('invalid', 'custom is too long with license_data');
  }
  return text;
}

/** Returns `custom` with the free seats as its `license_data`, and all else unchanged. */
export function customWithFreeSeats(
  custom: string | null,
  freeSeats: Readonly<Record<string, number>>,
): string | null {
  if (Object.keys(freeSeats).length === 0) return custom;
  const object = parseCustom(custom ?? '');
  if (!object) return custom;
  const data = customObject.safeParse(object['license_data']).data ?? {};
  const entries = Object.entries(freeSeats).map(([guid, free]) => {
    const entry = customObject.safeParse(data[guid]).data;
    return [guid, { ...entry, seats_available: free }] as const;
  });
  return JSON.stringify({ ...object, license_data: Object.fromEntries(entries) });
}

/** Returns who initiated a license, as `custom` says; undefined if it does not. */
export const initiatingUserOf = (custom: string | null): unknown =>
  parseCustom(custom ?? '')?.['initiating_user'];

/** Returns `custom` with its `initiating_user`, which is `email` unless it names one. */
export function customWithInitiatingUser(custom: string | null, email: string): string | null {
  const object = parseCustom(custom ?? '');
  return object && JSON.stringify({ initiating_user: email, ...object });
}
