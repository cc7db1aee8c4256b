import * as z from 'zod';

/**
 * The primary key of a registration. Statements name the provider application too, so that of a
 * table with partitions by provider application they use one (docs/performance.md).
 */
export const registrationKey = z.object({ applicationId: z.number(), id: z.number() });
export type RegistrationKey = Readonly<z.infer<typeof registrationKey>>;
