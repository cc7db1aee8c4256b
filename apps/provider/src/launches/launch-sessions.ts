import { Database, raw, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { hashToken, isOpenLaunch } from '../access-rules.ts';
import type { CourseStructure } from '../packages/course-structure.ts';
import type { LaunchClaims } from './launch-link.ts';

/** How long a course window can be used: longer than a working day. */
const lifetime = raw(`interval '12 hours'`);
/** How long a window can be used after it was closed: it may have been reloaded. */
const reopenTime = raw(`interval '5 minutes'`);

/** A course that is open in a browser window. */
export interface LaunchSession {
  readonly id: number;
  readonly registration: number;
  readonly tracking: boolean;
  readonly redirectUrl: string | null;
  readonly learner: { readonly id: string; readonly name: string };
  readonly courseTitle: string;
  readonly structure: CourseStructure;
}

const sessionRow = z.object({
  id: z.number(),
  registration: z.number(),
  tracking: z.boolean(),
  redirect_url: z.string().nullable(),
  learner_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  title: z.string(),
  structure: z.custom<CourseStructure>(),
});

/**
 * Course windows. The URL of each one contains a random token, of which the database has only the
 * hash.
 */
@Injectable()
export class LaunchSessions {
  constructor(private readonly database: Database) {}

  /** Opens a course window. Returns its token, or null if the registration was deleted. */
  async open({ registration, tracking, redirectUrl }: LaunchClaims): Promise<string | null> {
    const token = randomBytes(32).toString('base64url');
    const inserted = await this.database.execute(
      sql`INSERT INTO launches (registration, token_hash, tracking, redirect_url, expires_at)
          SELECT id, ${hashToken(token)}, ${tracking}, ${redirectUrl}, now() + ${lifetime}
          FROM registrations WHERE id = ${registration}`,
    );
    return inserted > 0 ? token : null;
  }

  /** Returns the session of a token, or null if it is unknown, has expired or was closed. */
  async find(token: string): Promise<LaunchSession | null> {
    const row = await this.database.maybeOne(
      sessionRow,
      sql`SELECT l.id, l.registration, l.tracking, l.redirect_url, r.learner_id, r.first_name,
                 r.last_name, c.title, v.structure
          FROM launches AS l
          JOIN registrations AS r ON r.id = l.registration
          JOIN courses AS c ON c.id = r.course
          JOIN course_versions AS v ON v.id = r.course_version
          WHERE ${isOpenLaunch(token)}`,
    );
    if (!row) return null;
    return {
      id: row.id,
      registration: row.registration,
      tracking: row.tracking,
      redirectUrl: row.redirect_url,
      // The family name is first in both standards (SCORM 1.2 RTE 3.4.2.1, SCORM 2004 RTE 4.2.13).
      learner: {
        id: row.learner_id,
        name: [row.last_name, row.first_name].filter(Boolean).join(', '),
      },
      courseTitle: row.title,
      structure: row.structure,
    };
  }

  /** Returns the redirect URL of a session, even if it has ended; null if there is none. */
  async findRedirectUrl(token: string): Promise<string | null> {
    const row = await this.database.maybeOne(
      sessionRow.pick({ redirect_url: true }),
      sql`SELECT redirect_url FROM launches WHERE token_hash = ${hashToken(token)}`,
    );
    return row?.redirect_url ?? null;
  }

  /** Records whether the window of a session is closing: then the session ends a little later. */
  async setClosing({ id }: LaunchSession, isClosing: boolean): Promise<void> {
    await this.database.execute(
      isClosing
        ? sql`UPDATE launches SET exited_at = clock_timestamp(),
                expires_at = least(expires_at, clock_timestamp() + ${reopenTime})
              WHERE id = ${id}`
        : sql`UPDATE launches SET exited_at = NULL, expires_at = launched_at + ${lifetime}
              WHERE id = ${id} AND exited_at IS NOT NULL AND expires_at > now()`,
    );
  }

  /** Ends a session after the learner has exited the course. */
  async close(token: string): Promise<void> {
    await this.database.execute(
      sql`UPDATE launches AS l SET exited_at = now(), expires_at = now()
          WHERE ${isOpenLaunch(token)}`,
    );
  }
}
