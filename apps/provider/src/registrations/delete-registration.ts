import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { registrationNotFound } from './find-registration.ts';
import { Registration } from './registration.entity.ts';

/** Deletes a registration with its launches and results. */
@Injectable()
export class DeleteRegistration {
  constructor(
    @InjectRepository(Registration) private readonly registrations: Repository<Registration>,
  ) {}

  async delete(
    { id: applicationId }: AuthenticatedApplication,
    registrationId: string,
  ): Promise<void> {
    const { affected } = await this.registrations.delete({ applicationId, registrationId });
    if (affected === 0) throw registrationNotFound(registrationId);
  }
}
