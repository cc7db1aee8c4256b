/** What decides whether a registration is the answer of a create. */
export interface Candidate {
  readonly id: number;
  readonly registrationGuid: string;
  readonly ready: boolean;
  readonly idempotencyKey: string | null;
}

/**
 * The registration that a create answers instead of making another: the one that the same request
 * made before, however that ended, else, when duplicates are not wanted, one of the same course
 * and learner. One that the provider has confirmed comes before one that is under way, a newer
 * one before an older one. `candidates` are neither inactive nor deleted (decision 18).
 */
export function existingRegistration<Given extends Candidate>(
  candidates: readonly Given[],
  wanted: { idempotencyKey: string | null; dontDuplicate: boolean },
): Given | null {
  const { idempotencyKey, dontDuplicate } = wanted;
  const own = candidates.find(
    (candidate) => idempotencyKey !== null && candidate.idempotencyKey === idempotencyKey,
  );
  if (own || !dontDuplicate) return own ?? null;
  const best = candidates.toSorted((a, b) => Number(b.ready) - Number(a.ready) || b.id - a.id);
  return best[0] ?? null;
}
