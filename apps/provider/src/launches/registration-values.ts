import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { Activity } from '../packages/course-structure.ts';
import { type SharedData, sharedData } from '../registrations/registration-row.ts';
import {
  type GlobalObjectives,
  globalObjectives,
  writeGlobalObjectives,
} from '../results/global-objectives.ts';
import type { RuntimeData } from '../results/runtime.ts';
import type { Runtime } from '../results/scorm-2004-runtime.ts';
import { assertStorable } from './course-sequencing.ts';
import type { LaunchSession } from './launch-sessions.ts';
import { writeSharedData } from './shared-entries.ts';

const row = z.object({ global_objectives: globalObjectives, shared_data: sharedData });

/** What the activities of a course without sequencing share. It belongs to the registration. */
export interface SharedValues {
  readonly objectives: GlobalObjectives;
  readonly data: SharedData;
}

/** Reads and stores what the activities of a course without sequencing share. */
@Injectable()
export class RegistrationValues {
  constructor(private readonly database: Database) {}

  /** Returns the shared values; none if the activity maps nothing, or in a preview. */
  async read({ registration }: LaunchSession, activity: Activity): Promise<SharedValues> {
    if (!isMapped(activity) || registration === 0) return { objectives: {}, data: {} };
    const { global_objectives: objectives, shared_data: data } = await this.database.one(
      row,
      sql`SELECT global_objectives, shared_data FROM registrations WHERE id = ${registration}`,
    );
    return { objectives, data };
  }

  /**
   * Stores what the content of an activity has reported. Must run in the transaction that locks the registration.
   *
   * @throws {PayloadTooLargeException} if the shared data are too large
   */
  async update(
    session: LaunchSession,
    activity: Activity,
    runtime: Runtime,
    reported: RuntimeData[string] | undefined,
  ): Promise<void> {
    if (!isMapped(activity)) return;
    const before = await this.read(session, activity);
    const globals = writeGlobalObjectives(before.objectives, activity.objectives ?? [], runtime);
    const data = writeSharedData(before.data, activity, reported);
    assertStorable(data);
    await this.database.execute(
      sql`UPDATE registrations SET global_objectives = ${globals}, shared_data = ${data}
          WHERE id = ${session.registration}`,
    );
  }
}

const isMapped = ({ objectives = [], sharedData: entries = [] }: Activity) =>
  entries.length > 0 || objectives.some(({ maps }) => maps.length > 0);
