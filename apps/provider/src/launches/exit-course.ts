import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { PendingPostbacks } from '../postbacks/pending-postbacks.ts';
import { completion, success } from '../results/result.ts';
import { WindowEnded } from './course-windows.ts';
import { type LaunchSession, LaunchSessions } from './launch-sessions.ts';

/** How the player describes the end of the course to the learner. */
type Outcome = 'completed' | 'failed' | 'suspended' | 'review';

const standingRow = z.object({ completion, success, is_suspended: z.boolean() });

/** Ends a course window after the learner has left the course. */
@Injectable()
export class ExitCourse {
  constructor(
    private readonly database: Database,
    private readonly sessions: LaunchSessions,
    private readonly postbacks: PendingPostbacks,
  ) {}

  /**
   * @returns where the browser goes, and the outcome for a page that says so
   * @throws {WindowEnded} if the registration was deleted after the window was looked up
   */
  async exit(session: LaunchSession): Promise<{ redirectUrl: string | null; outcome: Outcome }> {
    return this.database.transaction(async () => {
      await this.sessions.close(session);
      const outcome = await this.outcome(session);
      if (session.tracking) await this.postbacks.addNow(session.registration);
      return { redirectUrl: session.redirectUrl, outcome };
    });
  }

  private async outcome({ registration, tracking }: LaunchSession): Promise<Outcome> {
    if (!tracking) return 'review';
    const standing = await this.database.maybeOne(
      standingRow,
      sql`SELECT r.completion, r.success,
                 EXISTS (SELECT FROM sco_states AS s WHERE s.registration = r.id AND s.suspended)
                   AS is_suspended
          FROM registrations AS r WHERE r.id = ${registration}`,
    );
    if (!standing) throw new WindowEnded();
    const isCompleted = standing.completion === 'COMPLETED';
    if (standing.success === 'FAILED' && (isCompleted || !standing.is_suspended)) return 'failed';
    return isCompleted ? 'completed' : 'suspended';
  }
}
