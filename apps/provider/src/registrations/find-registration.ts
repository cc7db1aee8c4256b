import { Database } from '#libs/persistence';
import { Injectable, NotFoundException } from '@nestjs/common';
import type { Application } from '../applications/application.ts';
import { parse } from '../http/parse.ts';
import type { Completion, Success } from '../results/result.ts';
import { activityParts, partsQuery } from './activity-parts.ts';
import { DescribeRegistrations } from './describe-registrations.ts';
import type { RegistrationRecord } from './registration-record.ts';
import { type RegistrationRow, selectRegistrations } from './registration-row.ts';

interface LaunchRow {
  readonly id: string;
  readonly launched_at: Date;
  readonly exited_at: Date | null;
  readonly saved_at: Date | null;
  readonly seconds: number;
  readonly completion: Completion;
  readonly success: Success;
  readonly score: number | null;
}

/** One registration of an application, by the id that the application gave it. */
@Injectable()
export class FindRegistration {
  constructor(
    private readonly database: Database,
    private readonly describe: DescribeRegistrations,
  ) {}

  async row(application: Application, registrationId: string): Promise<RegistrationRow> {
    const [row] = await this.database.query<RegistrationRow>(
      `${selectRegistrations} WHERE r.application_id = $1 AND r.registration_id = $2`,
      [application.id, registrationId],
    );
    if (!row) throw unknownRegistration(registrationId);
    return row;
  }

  async run(
    application: Application,
    registrationId: string,
    query: unknown,
  ): Promise<RegistrationRecord> {
    const parts = activityParts(parse(partsQuery, query));
    const row = await this.row(application, registrationId);
    const [record] = await this.describe.run(application, [row], parts);
    if (!record) throw unknownRegistration(registrationId);
    return record;
  }

  /** The newest 100 launches that tracked something, newest first. */
  async launchHistory(application: Application, registrationId: string) {
    const registration = await this.row(application, registrationId);
    const launches = await this.database.query<LaunchRow>(
      `SELECT l.id, l.launched_at, l.exited_at, l.saved_at, l.seconds, l.completion, l.success,
              l.score
       FROM launches l JOIN registrations r ON r.id = l.registration
       WHERE r.application_id = $1 AND r.id = $2 AND l.tracking
       ORDER BY l.id DESC LIMIT 100`,
      [application.id, registration.id],
    );
    return {
      launchHistory: launches.map((launch) => ({
        id: String(launch.id),
        instance: 0,
        ...(launch.score !== null && { score: { scaled: launch.score } }),
        completionStatus: launch.completion,
        successStatus: launch.success,
        totalSecondsTracked: launch.seconds,
        launchTime: launch.launched_at.toISOString(),
        ...(launch.exited_at && { exitTime: launch.exited_at.toISOString() }),
        ...(launch.saved_at && { lastRuntimeUpdate: launch.saved_at.toISOString() }),
      })),
    };
  }
}

export const unknownRegistration = (registrationId: string) =>
  new NotFoundException(`No registration has the id '${registrationId}'.`);
