import { Database, raw, type Sql, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import {
  awaitsBrowser,
  hashToken,
  isLaunchOf,
  isOfActiveApplication,
  isOpenLaunch,
  isVersionOfActiveApplication,
  type WindowAccess,
} from '../access-rules.ts';
import { type CourseSettings, courseSettings } from '../configuration/course-settings.ts';
import { effectiveConfiguration } from '../configuration/effective-configuration.ts';
import { configuration } from '../configuration/settings.ts';
import type { CourseStructure } from '../packages/course-structure.ts';
import type { LaunchClaims, PreviewClaims, RegistrationClaims } from './launch-link.ts';

/** How long the page of an ended preview says so, and its link opens no other window: longer than a link is valid. */
const previewRetention = raw(`interval '8 days'`);
/** In place of the address that a link demands and that is not known: no client has it. */
const unknownAddress = '::';
/** How long a window can be used after it was closed: it may have been reloaded. */
const reopenTime = raw(`interval '5 minutes'`);

const launchSession = z.object({
  id: z.number(),
  application: z.number(),
  /** 0 in a preview, which has none. */
  registration: z.number(),
  /** False in a review and a preview, where the mode is `review` and nothing is recorded. */
  tracking: z.boolean(),
  redirectUrl: z.string().nullable(),
  /** The language of the player, as a tag; null for that of the browser. */
  culture: z.string().nullable(),
  /** A style sheet for the player's page. */
  cssUrl: z.string().nullable(),
  /** The activity to open first; null for the one that the learner left. */
  startActivity: z.string().nullable(),
  learner: z.object({ id: z.string(), name: z.string() }),
  courseTitle: z.string(),
  structure: z.custom<CourseStructure>(),
  /** A part of the path of the course's files. */
  contentKey: z.string(),
});
/** A course that is open in a browser window. */
export type LaunchSession = z.output<typeof launchSession> & { readonly settings: CourseSettings };

const sessionRow = launchSession.extend({ configuration, isLoaded: z.boolean() });
const endedRow = launchSession.pick({ redirectUrl: true, culture: true });

/**
 * Course windows. The URL of each one contains a random token, of which the database has only the
 * hash.
 */
@Injectable()
export class LaunchSessions {
  constructor(private readonly database: Database) {}

  /**
   * Opens a course window. A link whose window was not loaded may be followed again, since the
   * response may have been lost: then the newest window counts.
   *
   * @param address of the client; null if it is unknown
   * @returns the token of the window; `used` if a window of this link was loaded, or `expired` if the
   * registration was deleted, its launches were ended or its application is paused
   */
  async open(
    claims: LaunchClaims,
    address: string | null,
  ): Promise<{ readonly token: string } | 'used' | 'expired'> {
    const token = randomBytes(32).toString('base64url');
    const source = 'registration' in claims ? registrationOf(claims) : previewedOf(claims);
    const opened = await this.database.execute(
      sql`INSERT INTO launches AS l
            (registration, instance, course_version, origin_label, content_key, token_hash, link_id, tracking,
             redirect_url, start_activity, culture, css_url, lifetime, needs_cookie, client_address, expires_at)
          SELECT opened.*, ${hashToken(token)}, ${claims.id}, ${claims.tracking}, ${claims.redirectUrl},
                 ${claims.startActivity}, ${claims.culture}, ${claims.cssUrl}, t.lifetime, ${claims.needsCookie},
                 ${claims.bindsAddress ? (address ?? unknownAddress) : null}::inet, now() + t.lifetime
          FROM (${source}) AS opened,
               make_interval(secs => ${claims.windowSeconds}) AS t (lifetime)
          ON CONFLICT (link_id) DO UPDATE
            SET token_hash = excluded.token_hash, client_address = excluded.client_address,
                cookie_hash = NULL
          WHERE l.loaded_at IS NULL AND l.expires_at > now()`,
    );
    if (opened > 0) return { token };
    const used = await this.database.execute(
      sql`SELECT FROM launches WHERE link_id = ${claims.id}`,
    );
    return used > 0 ? 'used' : 'expired';
  }

  /**
   * Returns the session of a window, or null if it is unknown, has expired or was closed. From then
   * on its link opens no other window.
   */
  async find(access: WindowAccess): Promise<LaunchSession | null> {
    // The family name is first in both standards (SCORM 1.2 RTE 3.4.2.1, SCORM 2004 RTE 4.2.13).
    const row = await this.database.maybeOne(
      sessionRow,
      sql`SELECT l.id, c.application_id AS application, coalesce(l.registration, 0) AS registration,
                 l.tracking, l.redirect_url AS "redirectUrl", l.start_activity AS "startActivity",
                 l.culture, l.css_url AS "cssUrl",
                 json_build_object(
                   'id', coalesce(r.learner_id, 'preview'),
                   'name', concat_ws(', ', nullif(r.last_name, ''), nullif(r.first_name, ''))
                 ) AS learner,
                 c.title AS "courseTitle",
                 ${effectiveConfiguration} AS configuration,
                 v.structure, coalesce(r.content_key, l.content_key) AS "contentKey",
                 l.loaded_at IS NOT NULL AS "isLoaded"
          FROM launches AS l
          LEFT JOIN registrations AS r ON r.id = l.registration
          JOIN course_versions AS v ON v.id = coalesce(r.course_version, l.course_version)
          JOIN courses AS c ON c.id = v.course
          JOIN applications AS a ON a.id = c.application_id
          LEFT JOIN registration_configurations AS rc ON rc.registration = l.registration
          WHERE ${isOpenLaunch(access)}`,
    );
    if (!row || !(row.isLoaded || (await this.setLoaded(access)))) return null;
    const { configuration: made, isLoaded: _, ...session } = row;
    return { ...session, settings: courseSettings(made) };
  }

  /**
   * Returns the session of a window whose page is loaded, as {@link find}. The first browser that loads it gets the
   * cookie of the window, if its link demands one.
   */
  async load(
    access: WindowAccess,
  ): Promise<{ readonly session: LaunchSession | null; readonly cookie: string | null }> {
    const session = await this.find(access);
    if (session) return { session, cookie: null };
    const cookie = randomBytes(32).toString('base64url');
    const isFirst = await this.database.execute(
      sql`UPDATE launches AS l SET cookie_hash = ${hashToken(cookie)}
          WHERE ${awaitsBrowser(access)}`,
    );
    return isFirst > 0
      ? { session: await this.find({ ...access, cookie }), cookie }
      : { session: null, cookie: null };
  }

  /** Returns false if the link was followed again at the same time: then the other window counts. */
  private async setLoaded(access: WindowAccess): Promise<boolean> {
    const updated = await this.database.execute(
      sql`UPDATE launches AS l SET loaded_at = coalesce(loaded_at, clock_timestamp())
          WHERE ${isOpenLaunch(access)}`,
    );
    return updated > 0;
  }

  /** Returns what the page of an ended session shows; null if there never was one. */
  async findEnded(access: WindowAccess): Promise<z.output<typeof endedRow> | null> {
    return this.database.maybeOne(
      endedRow,
      sql`SELECT l.redirect_url AS "redirectUrl", l.culture FROM launches AS l
          WHERE ${isLaunchOf(access)}`,
    );
  }

  /** Records whether the window of a session is closing: then the session ends a little later. */
  async setClosing({ id }: LaunchSession, isClosing: boolean): Promise<void> {
    await this.database.execute(
      isClosing
        ? sql`UPDATE launches SET exited_at = clock_timestamp(),
                expires_at = least(expires_at, clock_timestamp() + ${reopenTime})
              WHERE id = ${id}`
        : sql`UPDATE launches SET exited_at = NULL, expires_at = launched_at + lifetime
              WHERE id = ${id} AND exited_at IS NOT NULL AND expires_at > now()`,
    );
  }

  /** Deletes the windows of previews that have ended. */
  @PeriodicTask({ name: 'prune previews', everyMs: 60 * 60_000, timeoutMs: 30_000 })
  async prunePreviews(): Promise<void> {
    await this.database.execute(
      sql`DELETE FROM launches
          WHERE course_version IS NOT NULL AND expires_at < now() - ${previewRetention}`,
    );
  }

  /** Ends a session after the learner has exited the course. */
  async close({ id }: LaunchSession): Promise<void> {
    await this.database.execute(
      sql`UPDATE launches SET exited_at = now(), expires_at = now()
          WHERE id = ${id} AND expires_at > now()`,
    );
  }
}

/** FOR SHARE waits for a transaction that deletes the registration or ends its launches. */
const registrationOf = ({ registration, generation }: RegistrationClaims): Sql => sql`
  SELECT r.id, r.instance, NULL::integer, NULL::uuid, NULL::uuid FROM registrations AS r
  WHERE r.id = ${registration} AND r.launch_generation = ${generation}
    AND ${isOfActiveApplication(sql`r.id`)}
  FOR SHARE`;

const previewedOf = ({ courseVersion, label }: PreviewClaims): Sql => sql`
  SELECT NULL::bigint, 0, v.id, ${label}::uuid, gen_random_uuid() FROM course_versions AS v
  WHERE v.id = ${courseVersion} AND ${isVersionOfActiveApplication(sql`v.id`)}
  FOR KEY SHARE`;
