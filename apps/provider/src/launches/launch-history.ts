import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { FindRegistration } from '../registrations/find-registration.ts';
import { Launch } from './launch.entity.ts';

const maxLaunches = 100;

/** Lists the launches of a registration. */
@Injectable()
export class LaunchHistory {
  constructor(
    private readonly findRegistration: FindRegistration,
    @InjectRepository(Launch) private readonly launches: Repository<Launch>,
  ) {}

  /** @returns the newest 100 launches that were not reviews, newest first */
  async list(application: AuthenticatedApplication, registrationId: string) {
    const registration = await this.findRegistration.findRow(application, registrationId);
    const launches = await this.launches.find({
      where: { registration: registration.id, tracking: true },
      order: { id: 'DESC' },
      take: maxLaunches,
    });
    return launches.map((launch) => ({
      id: String(launch.id),
      instance: 0,
      ...(launch.score !== null && { score: { scaled: launch.score } }),
      completionStatus: launch.completion,
      successStatus: launch.success,
      totalSecondsTracked: launch.seconds,
      launchTime: launch.launchedAt.toISOString(),
      ...(launch.exitedAt && { exitTime: launch.exitedAt.toISOString() }),
      ...(launch.savedAt && { lastRuntimeUpdate: launch.savedAt.toISOString() }),
    }));
  }
}
