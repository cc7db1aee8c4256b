import { sql } from '@registrar/persistence';

/**
 * SQL of a factor that shortens an interval by up to a tenth, at random, so that what became due at the same time, as
 * after an outage or a course of many learners, does not do so again.
 */
export const jitter = sql`(1 - random() / 10)`;
