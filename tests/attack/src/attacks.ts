import type { Attack } from './attack.ts';

/** All attacks, in the order of a run. */
export const attacks: readonly Attack[] = [];
