import * as z from 'zod';

/**
 * Regular expressions in PostgreSQL's dialect; a field's text matches when it matches each of
 * them (decision 16). One that cannot be parsed, or takes too long, fails with `invalid`.
 */
export const patterns = z.array(z.string().min(1).max(256)).max(8);
export type Patterns = z.infer<typeof patterns>;
