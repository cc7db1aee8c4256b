import { Database, sql } from '@registrar/persistence';
import { ConflictException, Injectable, PayloadTooLargeException } from '@nestjs/common';
import * as z from 'zod';
import type { Activity } from '../packages/course-structure.ts';
import {
  type SharedData,
  sharedData,
  storedSequencing,
} from '../registrations/registration-row.ts';
import { globalObjectives } from '../results/global-objectives.ts';
import { openSession } from '../sequencing/navigate.ts';
import { emptyState, type Session } from '../sequencing/sequencing-state.ts';
import type { LaunchSession } from './launch-sessions.ts';

/** The registrations of a learner from which shared values are taken over: the ones that changed last. */
const maxRegistrations = 100;
/** Characters of all shared data of a registration as JSON. */
const maxSharedDataLength = 2 * 1024 * 1024;

const row = z.object({
  id: z.number(),
  updated_at: z.date(),
  sequencing: storedSequencing.nullable(),
  global_objectives: globalObjectives,
  shared_data: sharedData,
});

/** A sequencing session with what the activities of the course share. */
export interface StoredSession extends Session {
  sharedData: SharedData;
}

/**
 * The sequencing of courses whose manifests have some, by registration. A review has none, because
 * nothing of it is stored.
 */
@Injectable()
export class CourseSequencing {
  constructor(private readonly database: Database) {}

  /**
   * Returns the sequencing session of a registration; null if the course is not sequenced. Must run in
   * the transaction that locks the registration.
   *
   * @throws {ConflictException} if the course was opened in a newer window
   */
  async load(launch: LaunchSession): Promise<StoredSession | null> {
    const { structure, tracking, registration, id } = launch;
    if (!structure.sequencing || !tracking) return null;
    const rows = await this.registrationsOfLearner(registration);
    const own = rows.find((each) => each.id === registration);
    if (own?.sequencing && own.sequencing.window > id) {
      throw new ConflictException('The course is open in a newer window.');
    }
    const { objectivesGlobalToSystem, sharedDataGlobalToSystem } = structure.sequencing;
    const sharing = (scope: 'sharesObjectives' | 'sharesData', isShared: boolean) =>
      rows.filter((each) => each === own || (isShared && each.sequencing?.[scope]));
    const globals = Object.assign(
      {},
      ...sharing('sharesObjectives', objectivesGlobalToSystem).map(
        (each) => each.global_objectives,
      ),
    ) as z.output<typeof globalObjectives>;
    const data = Object.assign(
      {},
      ...sharing('sharesData', sharedDataGlobalToSystem).map((each) => each.shared_data),
    ) as SharedData;
    const shared = sharedIds(structure.root);
    const { current, suspended, activities } = own?.sequencing ?? emptyState();
    const state = { current, suspended, activities, globals: only(globals, shared.objectives) };
    return { ...openSession(structure, state, Math.random), sharedData: only(data, shared.data) };
  }

  /**
   * Stores the state of a session. Must run in the transaction that {@link load} ran in.
   *
   * @throws {PayloadTooLargeException} if the shared data exceed {@link maxSharedDataLength}
   */
  async save(launch: LaunchSession, { state, sharedData: data }: StoredSession): Promise<void> {
    if (JSON.stringify(data).length > maxSharedDataLength) {
      throw new PayloadTooLargeException('The shared data of the content are too large.');
    }
    const { globals, ...others } = state;
    const { sequencing } = launch.structure;
    const stored = {
      ...others,
      window: launch.id,
      sharesObjectives: sequencing?.objectivesGlobalToSystem ?? false,
      sharesData: sequencing?.sharedDataGlobalToSystem ?? false,
    };
    await this.database.execute(
      sql`UPDATE registrations
          SET sequencing = ${stored}, global_objectives = ${globals}, shared_data = ${data}
          WHERE id = ${launch.registration}`,
    );
  }

  /**
   * Returns what the registrations of a learner have stored, the one that changed last at the end: its
   * values count (SCORM 2004 SN 3.10.2).
   */
  private async registrationsOfLearner(registration: number): Promise<z.output<typeof row>[]> {
    const rows = await this.database.many(
      row,
      sql`SELECT o.id, o.updated_at, o.sequencing, o.global_objectives, o.shared_data
          FROM registrations AS r
          JOIN registrations AS o
            ON o.application_id = r.application_id AND o.learner_id = r.learner_id
          WHERE r.id = ${registration} AND (o.sequencing IS NOT NULL OR o.id = r.id)
          ORDER BY o.id = r.id DESC, o.updated_at DESC LIMIT ${maxRegistrations}`,
    );
    return rows.toSorted((a, b) => a.updated_at.getTime() - b.updated_at.getTime());
  }
}

/** The ids of what the activities of a course share. */
function sharedIds(root: Activity): { objectives: Set<string>; data: Set<string> } {
  const objectives = new Set<string>();
  const data = new Set<string>();
  const add = (activity: Activity) => {
    for (const { maps } of activity.objectives ?? []) {
      for (const { target } of maps) objectives.add(target);
    }
    for (const { target } of activity.sharedData ?? []) data.add(target);
    activity.children.forEach(add);
  };
  add(root);
  return { objectives, data };
}

const only = <Value>(values: Readonly<Record<string, Value>>, ids: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(values).filter(([id]) => ids.has(id)));
