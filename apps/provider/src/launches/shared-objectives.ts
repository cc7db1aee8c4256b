import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { Activity } from '../packages/course-structure.ts';
import {
  type GlobalObjectives,
  globalObjectives,
  writeGlobalObjectives,
} from '../results/global-objectives.ts';
import type { Runtime } from '../results/scorm-2004-runtime.ts';
import type { LaunchSession } from './launch-sessions.ts';

const row = z.object({ global_objectives: globalObjectives });

/** The global objectives of a registration, through which its activities share results. */
@Injectable()
export class SharedObjectives {
  constructor(private readonly database: Database) {}

  /** Returns the global objectives; empty if the activity maps none, or in a preview. */
  async read({ registration }: LaunchSession, activity: Activity): Promise<GlobalObjectives> {
    if (!isMapped(activity) || registration === 0) return {};
    const { global_objectives: globals } = await this.database.one(
      row,
      sql`SELECT global_objectives FROM registrations WHERE id = ${registration}`,
    );
    return globals;
  }

  /** Must run in the transaction that locks the registration. */
  async update(session: LaunchSession, activity: Activity, runtime: Runtime): Promise<void> {
    if (!isMapped(activity)) return;
    const before = await this.read(session, activity);
    const globals = writeGlobalObjectives(before, activity.objectives ?? [], runtime);
    await this.database.execute(
      sql`UPDATE registrations SET global_objectives = ${globals}
          WHERE id = ${session.registration}`,
    );
  }
}

const isMapped = ({ objectives = [] }: Activity) => objectives.some(({ maps }) => maps.length > 0);
