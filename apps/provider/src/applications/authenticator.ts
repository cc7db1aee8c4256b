import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  type AuthenticatedApplication,
  isSecretOf,
  parseBasicCredentials,
} from '../access-rules.ts';
import { Application } from './application.entity.ts';

/** Authenticates requests to the API. */
@Injectable()
export class Authenticator {
  constructor(
    @InjectRepository(Application) private readonly applications: Repository<Application>,
  ) {}

  /** Returns the application whose credentials an `Authorization` header has, or null. */
  async authenticate(header: string): Promise<AuthenticatedApplication | null> {
    const credentials = parseBasicCredentials(header);
    if (!credentials) return null;
    const application = await this.applications.findOne({
      where: { appId: credentials.appId },
      select: { id: true, secretHash: true, previousSecretHash: true, previousValidUntil: true },
    });
    const { secretKey } = credentials;
    const isCurrent = isSecretOf(secretKey, application?.secretHash ?? null);
    const isPrevious = isSecretOf(secretKey, application?.previousSecretHash ?? null);
    const isOverlap = (application?.previousValidUntil ?? new Date(0)) > new Date();
    return application && (isCurrent || (isPrevious && isOverlap)) ? { id: application.id } : null;
  }
}
