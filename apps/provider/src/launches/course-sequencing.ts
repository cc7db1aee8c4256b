import { Database, sql } from '@registrar/persistence';
import { ConflictException, Injectable, PayloadTooLargeException } from '@nestjs/common';
import * as z from 'zod';
import type { Activity, CourseStructure } from '../packages/course-structure.ts';
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
const maxRegistrations = 20;
/** Characters of all shared data of a registration as JSON. */
const maxSharedDataLength = 512 * 1024;

const sharedRow = z.object({
  updated_at: z.date(),
  global_objectives: globalObjectives,
  shared_data: sharedData,
});
const ownRow = sharedRow.extend({ sequencing: storedSequencing.nullable() });

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
    const own = await this.database.one(
      ownRow,
      sql`SELECT updated_at, global_objectives, shared_data, sequencing
          FROM registrations WHERE id = ${registration}`,
    );
    if (own.sequencing && own.sequencing.window > id) {
      throw new ConflictException('The course is open in a newer window.');
    }
    const shared = sharedIds(structure);
    const rows = [own, ...(await this.othersOfLearner(registration, shared))].toSorted(
      (a, b) => a.updated_at.getTime() - b.updated_at.getTime(),
    );
    const globals = Object.fromEntries(
      rows.flatMap((each) => Object.entries(each.global_objectives)),
    );
    const data = Object.fromEntries(rows.flatMap((each) => Object.entries(each.shared_data)));
    const { current, suspended, activities } = own.sequencing ?? emptyState();
    const state = { current, suspended, activities, globals: only(globals, shared.objectives) };
    return { ...openSession(structure, state, Math.random), sharedData: only(data, shared.data) };
  }

  /**
   * Stores the state of a session. Must run in the transaction that {@link load} ran in.
   *
   * @throws {PayloadTooLargeException} if the shared data are too large
   */
  async save(launch: LaunchSession, { state, sharedData: data }: StoredSession): Promise<void> {
    assertStorable(data);
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
   * Returns what other registrations of a learner have stored of what a course shares with them. What
   * changed last counts (SCORM 2004 SN 3.10.2).
   */
  private async othersOfLearner(
    registration: number,
    { objectives, data, isGlobal }: SharedIds,
  ): Promise<z.output<typeof sharedRow>[]> {
    const objectiveIds = isGlobal.objectives ? [...objectives] : [];
    const dataIds = isGlobal.data ? [...data] : [];
    if (objectiveIds.length + dataIds.length === 0) return [];
    return this.database.many(
      sharedRow,
      sql`SELECT o.updated_at,
                 CASE WHEN o.sequencing @> '{"sharesObjectives": true}'
                        AND o.global_objectives ?| ${objectiveIds}::text[]
                   THEN o.global_objectives ELSE '{}' END AS global_objectives,
                 CASE WHEN o.sequencing @> '{"sharesData": true}'
                        AND o.shared_data ?| ${dataIds}::text[]
                   THEN o.shared_data ELSE '{}' END AS shared_data
          FROM registrations AS r
          JOIN registrations AS o
            ON o.application_id = r.application_id AND o.learner_id = r.learner_id AND o.id <> r.id
          WHERE r.id = ${registration}
            AND (o.global_objectives ?| ${objectiveIds}::text[]
                 OR o.shared_data ?| ${dataIds}::text[])
          ORDER BY o.updated_at DESC LIMIT ${maxRegistrations}`,
    );
  }
}

/** @throws {PayloadTooLargeException} if the shared data exceed {@link maxSharedDataLength} */
export function assertStorable(data: SharedData): void {
  if (JSON.stringify(data).length > maxSharedDataLength) {
    throw new PayloadTooLargeException('The shared data of the content are too large.');
  }
}

/** What the activities of a course share, and whether with other courses of the learner. */
interface SharedIds {
  readonly objectives: ReadonlySet<string>;
  readonly data: ReadonlySet<string>;
  readonly isGlobal: { readonly objectives: boolean; readonly data: boolean };
}

function sharedIds({ root, sequencing }: CourseStructure): SharedIds {
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
  const isGlobal = {
    objectives: sequencing?.objectivesGlobalToSystem ?? false,
    data: sequencing?.sharedDataGlobalToSystem ?? false,
  };
  return { objectives, data, isGlobal };
}

const only = <Value>(values: Readonly<Record<string, Value>>, ids: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(values).filter(([id]) => ids.has(id)));
