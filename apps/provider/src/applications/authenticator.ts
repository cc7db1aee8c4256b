import { clock } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type AuthenticatedApplication, type Credentials, isSecretOf } from '../access-rules.ts';
import { Application } from './application.entity.ts';

/** Authenticates requests to the API. */
@Injectable()
export class Authenticator {
  constructor(
    @InjectRepository(Application) private readonly applications: Repository<Application>,
  ) {}

  /** Returns the application of the credentials, or null if they are wrong. */
  async authenticate({
    appId,
    secretKey,
  }: Credentials): Promise<(AuthenticatedApplication & { readonly isPaused: boolean }) | null> {
    const application = await this.applications.findOne({
      where: { appId },
      select: {
        ...{ id: true, isPaused: true },
        ...{ secretHash: true, previousSecretHash: true, previousValidUntil: true },
      },
    });
    const isCurrent = isSecretOf(secretKey, application?.secretHash ?? null);
    const isPrevious = isSecretOf(secretKey, application?.previousSecretHash ?? null);
    const isOverlap = (application?.previousValidUntil ?? new Date(0)) > clock.date();
    if (!application || !(isCurrent || (isPrevious && isOverlap))) return null;
    return { id: application.id, isPaused: application.isPaused };
  }
}
