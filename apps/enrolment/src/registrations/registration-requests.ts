import { HandleRequest, type InputOf, type ReplyOf } from '#libs/bus';
import {
  createRegistration,
  indexRegistrations,
  latestRegistrations,
  launchRegistration,
  recrawlRegistrations,
  updateRegistration,
} from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { CreateRegistration } from './create-registration.ts';
import { IndexRegistrations } from './index-registrations.ts';
import { LatestRegistrations } from './latest-registrations.ts';
import { LaunchRegistration } from './launch-registration.ts';
import { RecrawlRegistrations } from './recrawl-registrations.ts';
import { UpdateRegistration } from './update-registration.ts';

/** What is asked of registrations. */
@Controller()
export class RegistrationRequests {
  constructor(
    private readonly createUseCase: CreateRegistration,
    private readonly indexUseCase: IndexRegistrations,
    private readonly latestUseCase: LatestRegistrations,
    private readonly launchUseCase: LaunchRegistration,
    private readonly recrawlUseCase: RecrawlRegistrations,
    private readonly updateUseCase: UpdateRegistration,
  ) {}

  @HandleRequest(createRegistration)
  create(input: InputOf<typeof createRegistration>): Promise<ReplyOf<typeof createRegistration>> {
    return this.createUseCase.run(input);
  }

  @HandleRequest(indexRegistrations)
  index(input: InputOf<typeof indexRegistrations>): Promise<ReplyOf<typeof indexRegistrations>> {
    return this.indexUseCase.run(input);
  }

  @HandleRequest(latestRegistrations)
  latest(input: InputOf<typeof latestRegistrations>): Promise<ReplyOf<typeof latestRegistrations>> {
    return this.latestUseCase.run(input);
  }

  @HandleRequest(launchRegistration)
  launch(input: InputOf<typeof launchRegistration>): Promise<ReplyOf<typeof launchRegistration>> {
    return this.launchUseCase.run(input);
  }

  @HandleRequest(recrawlRegistrations)
  recrawl(
    input: InputOf<typeof recrawlRegistrations>,
  ): Promise<ReplyOf<typeof recrawlRegistrations>> {
    return this.recrawlUseCase.run(input);
  }

  @HandleRequest(updateRegistration)
  update(input: InputOf<typeof updateRegistration>): Promise<ReplyOf<typeof updateRegistration>> {
    return this.updateUseCase.run(input);
  }
}
