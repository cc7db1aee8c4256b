import * as z from 'zod';

export const candidateRow = z.object({
  id: z.number(),
  registrationGuid: z.string(),
  ready: z.boolean(),
  idempotencyKey: z.string().nullable(),
});
/** What decides whether a create returns an existing registration. */
export type Candidate = Readonly<z.infer<typeof candidateRow>>;

/**
 * Returns the registration that a create returns instead of inserting one, or null: the one that an
 * earlier attempt of the same request inserted; else, with `dontDuplicate`, one of the same course
 * and learner, confirmed ones before pending ones and newer ones before older ones.
 *
 * @param candidates registrations that are neither inactive nor deleted
 *   (contract/registrations#usable)
 */
export function findReusableRegistration(
  candidates: readonly Candidate[],
  request: { idempotencyKey: string | null; dontDuplicate: boolean },
): Candidate | null {
  const { idempotencyKey, dontDuplicate } = request;
  const own = candidates.find(
    (candidate) => idempotencyKey !== null && candidate.idempotencyKey === idempotencyKey,
  );
  if (own || !dontDuplicate) return own ?? null;
  const best = candidates.toSorted((a, b) => Number(b.ready) - Number(a.ready) || b.id - a.id);
  return best[0] ?? null;
}
