import * as z from 'zod';

/**
 * Regular expressions in PostgreSQL's dialect. A text matches when it matches every expression
 * (contract/parameters#filters-combine). A request with an expression that is malformed or takes
 * too long fails with `invalid`.
 */
export const patterns = z.array(z.string().min(1).max(256)).max(8);
export type Patterns = z.infer<typeof patterns>;
