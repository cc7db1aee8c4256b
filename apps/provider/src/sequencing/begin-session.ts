import { availableRequests } from './available-requests.ts';
import { navigate, type Outcome } from './navigate.ts';
import { currentOf, type Session, stateOf, suspendedOf } from './sequencing-state.ts';

/**
 * Begins or resumes a sequencing session after the course was launched. A window that was closed has
 * suspended everything. If the content in it had ended, the learner goes on after it.
 *
 * @param hasEnded whether the content of the current activity has ended without being suspended
 * @param startActivity the id of the activity to begin with, if it can be chosen; null for none
 */
export function beginSession(
  session: Session,
  hasEnded: boolean,
  startActivity: string | null,
): Outcome {
  const current = currentOf(session);
  if (startActivity !== null) {
    if (current) navigate(session, { command: 'suspendAll' });
    const chosen = navigate(session, { command: 'choice', target: startActivity });
    if (chosen.kind === 'delivered') return chosen;
  } else if (current && hasEnded) {
    const outcome = goOn(session);
    if (outcome.kind !== 'ended') return outcome;
  } else if (current) navigate(session, { command: 'suspendAll' });
  return navigate(session, { command: suspendedOf(session) ? 'resumeAll' : 'start' });
}

/** Ends the current activity, and continues if there is a way. */
function goOn(session: Session): Outcome {
  const current = currentOf(session);
  if (current && stateOf(session, current).active) {
    const outcome = navigate(session, { command: 'exit' });
    if (outcome.kind !== 'nothing') return outcome;
  }
  const available = availableRequests(session);
  if (available.continue === null) return navigate(session, { command: 'continue' });
  const isChoosable = Object.values(available.choices).includes(null);
  return isChoosable
    ? { kind: 'nothing', refusal: null }
    : navigate(session, { command: 'exitAll' });
}
