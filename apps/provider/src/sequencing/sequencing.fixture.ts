import { type Activity, bareActivity, type CourseStructure } from '../packages/course-structure.ts';
import type {
  ConditionName,
  RollupRule,
  RuleAction,
  SequencingDefinition,
  SequencingRule,
} from '../packages/sequencing-definition.ts';
import type { RuntimeData } from '../results/runtime.ts';
import { type AvailableRequests, availableRequests } from './available-requests.ts';
import { navigate, openSession, type Outcome } from './navigate.ts';
import type { NavigationCommand } from './requests.ts';
import { emptyState, type SequencingState, type Session } from './sequencing-state.ts';
import { trackContent } from './track-content.ts';

/** An activity without what a suite does not set. */
export const activity = (
  id: string,
  sequencing: SequencingDefinition = {},
  parts: Partial<Activity> = {},
): Activity =>
  bareActivity({
    id,
    title: id,
    resource: parts.children ? null : { id: `${id}-files`, href: `${id}.html`, type: 'SCO' },
    sequencing,
    ...parts,
  });

export const cluster = (
  id: string,
  sequencing: SequencingDefinition,
  ...children: Activity[]
): Activity => activity(id, sequencing, { children });

export const flowing = { controlMode: { flow: true } } satisfies SequencingDefinition;

export const rule = (
  action: RuleAction,
  name: ConditionName,
  more: Partial<SequencingRule['conditions'][number]> = {},
): SequencingRule => ({ action, combination: 'all', conditions: [{ name, ...more }] });

export const rollupRule = (
  action: RollupRule['action'],
  name: ConditionName,
  more: Partial<RollupRule> = {},
): RollupRule => ({ action, children: 'all', combination: 'any', conditions: [{ name }], ...more });

/** An objective that reads and writes a global one. */
export const sharedObjective = (id: string, target: string, isPrimary = true) =>
  ({
    id,
    isPrimary,
    minimumMeasure: null,
    maps: [
      {
        target,
        reads: ['success_status', 'score.scaled'],
        writes: ['success_status', 'score.scaled'],
      },
    ],
  }) as const;

/** A learner in a course, whose state is written and read as the provider stores it. */
export class Learner {
  #state: string;
  readonly #structure: CourseStructure;

  constructor(
    root: Activity,
    { objectivesGlobalToSystem = true, state = emptyState() }: LearnerOptions = {},
  ) {
    this.#structure = {
      standard: 'SCORM20044THEDITION',
      root,
      metadata: { title: '', description: '', duration: '', typicalTime: '', keywords: [] },
      sequencing: { objectivesGlobalToSystem, sharedDataGlobalToSystem: true },
    };
    this.#state = JSON.stringify(state);
  }

  get state(): SequencingState {
    return JSON.parse(this.#state) as SequencingState;
  }

  get structure(): CourseStructure {
    return this.#structure;
  }

  /** Returns the id of the activity that opens, `ended`, or why none opens. */
  navigate(command: NavigationCommand, target?: string): string {
    return this.in((session) => nameOf(navigate(session, { command, target })));
  }

  /** Reports data of the current activity, whose content then ends. */
  report(data: RuntimeData, isSuspended = false): this {
    return this.in((session) => {
      trackContent(session, session.state.current ?? '', data, isSuspended);
      return this;
    });
  }

  available(): AvailableRequests {
    return this.in(availableRequests);
  }

  /** Runs work in a session, and stores its state. */
  in<Result>(work: (session: Session) => Result): Result {
    const session = openSession(this.#structure, this.state, () => 0);
    const result = work(session);
    this.#state = JSON.stringify(session.state);
    return result;
  }
}

interface LearnerOptions {
  readonly objectivesGlobalToSystem?: boolean;
  readonly state?: SequencingState;
}

export function nameOf(outcome: Outcome): string {
  if (outcome.kind === 'delivered') return outcome.activityId;
  return outcome.kind === 'ended' ? 'ended' : (outcome.refusal ?? 'nothing');
}
