import { Database, sql } from '@registrar/persistence';
import { Get, Param } from '@nestjs/common';
import * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { flag } from '../http/parse.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { InstancePipe } from '../registrations/instance.pipe.ts';
import { LoadRegistration } from '../registrations/load-registration.ts';
import { completion, success } from '../results/result.ts';

const maxLaunches = 100;

const launchRow = z.object({
  id: z.number(),
  score: z.number().nullable(),
  completion,
  success,
  seconds: z.number(),
  launched_at: z.date(),
  exited_at: z.date().nullable(),
  saved_at: z.date().nullable(),
});

const historyQuery = z.strictObject({
  includeHistoryLog: flag
    .refine((isIncluded) => !isIncluded, { error: 'there is no log of the course windows' })
    .optional(),
});

/** Lists the launches of an instance of a registration, by default the current one. */
@ApiController('registrations/:id')
export class LaunchHistory {
  constructor(
    private readonly registrations: LoadRegistration,
    private readonly database: Database,
  ) {}

  /** @returns the newest 100 launches that were not reviews, newest first */
  @Get(['launchHistory', 'instances/:instance/launchHistory'])
  async list(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
    @Param('instance', InstancePipe) instance: number | null,
    @QueryParameters(new SchemaPipe(historyQuery)) _query: unknown,
  ) {
    const registration = await this.registrations.loadRow(application, id, instance);
    const launches = await this.database.many(
      launchRow,
      sql`SELECT id, score, completion, success, seconds, launched_at, exited_at, saved_at
          FROM launches WHERE registration = ${registration.id}
            AND instance = ${registration.instance} AND tracking
          ORDER BY id DESC LIMIT ${maxLaunches}`,
    );
    const launchHistory = launches.map((launch) => ({
      id: String(launch.id),
      instance: registration.instance,
      ...(launch.score !== null && { score: { scaled: launch.score } }),
      completionStatus: launch.completion,
      successStatus: launch.success,
      totalSecondsTracked: launch.seconds,
      launchTime: launch.launched_at.toISOString(),
      ...(launch.exited_at && { exitTime: launch.exited_at.toISOString() }),
      ...(launch.saved_at && { lastRuntimeUpdate: launch.saved_at.toISOString() }),
    }));
    return { launchHistory };
  }
}
