import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import type { CourseStructure } from '../packages/course-structure.ts';
import type { LaunchClaims } from './launch-link.ts';

/** How long an opened course can be used: longer than a working day. */
const lifetime = `interval '12 hours'`;

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

interface SessionRow {
  readonly id: number;
  readonly registration: number;
  readonly tracking: boolean;
  readonly redirect_url: string | null;
  readonly learner_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly title: string;
  readonly structure: CourseStructure;
}

/**
 * The windows in which courses are open. Each has a random token that is part of its addresses;
 * only a hash of it is kept.
 */
@Injectable()
export class LaunchSessions {
  constructor(private readonly database: Database) {}

  /** Opens a course; the token, or null when the registration is gone. */
  async open({ registration, tracking, redirectUrl }: LaunchClaims): Promise<string | null> {
    const token = randomBytes(32).toString('base64url');
    const opened = await this.database.query(
      `INSERT INTO launches (registration, token_hash, tracking, redirect_url, expires_at)
       SELECT id, $2, $3, $4, now() + ${lifetime} FROM registrations WHERE id = $1
       RETURNING id`,
      [registration, hashToken(token), tracking, redirectUrl],
    );
    return opened.length > 0 ? token : null;
  }

  /** The session of a token; null when there is none, or its time is over, or it was left. */
  async find(token: string): Promise<LaunchSession | null> {
    const [row] = await this.database.query<SessionRow>(
      `SELECT l.id, l.registration, l.tracking, l.redirect_url, r.learner_id, r.first_name,
              r.last_name, c.title, v.structure
       FROM launches l
       JOIN registrations r ON r.id = l.registration
       JOIN courses c ON c.id = r.course
       JOIN course_versions v ON v.id = r.course_version
       WHERE l.token_hash = $1 AND l.expires_at > now()`,
      [hashToken(token)],
    );
    if (!row) return null;
    return {
      id: row.id,
      registration: row.registration,
      tracking: row.tracking,
      redirectUrl: row.redirect_url,
      // Both standards want the family name first (SCORM 1.2 RTE 3.4.2.1, SCORM 2004 RTE 4.2.13).
      learner: {
        id: row.learner_id,
        name: [row.last_name, row.first_name].filter(Boolean).join(', '),
      },
      courseTitle: row.title,
      structure: row.structure,
    };
  }

  /** The learner has left the course: its window opens no more. */
  async leave(token: string): Promise<void> {
    await this.database.query(
      'UPDATE launches SET exited_at = now(), expires_at = now() WHERE token_hash = $1 AND expires_at > now()',
      [hashToken(token)],
    );
  }
}

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
