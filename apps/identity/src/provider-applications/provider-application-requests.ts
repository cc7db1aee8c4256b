import { HandleRequest, type InputOf, type ReplyOf } from '#libs/bus';
import {
  createProviderApplication,
  indexCourseProviders,
  listApplications,
  listProviderApplications,
  providerCredentials,
  resealSecrets,
} from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { CreateProviderApplication } from './create-provider-application.ts';
import { FindProviderCredentials } from './find-provider-credentials.ts';
import { IndexCourseProviders } from './index-course-providers.ts';
import { ListApplications } from './list-applications.ts';
import { ListProviderApplications } from './list-provider-applications.ts';
import { ResealSecrets } from './reseal-secrets.ts';

/** What is asked of provider applications. */
@Controller()
export class ProviderApplicationRequests {
  constructor(
    private readonly createUseCase: CreateProviderApplication,
    private readonly credentialsUseCase: FindProviderCredentials,
    private readonly indexUseCase: IndexCourseProviders,
    private readonly listUseCase: ListProviderApplications,
    private readonly listForOperatorUseCase: ListApplications,
    private readonly resealUseCase: ResealSecrets,
  ) {}

  @HandleRequest(createProviderApplication)
  create(
    input: InputOf<typeof createProviderApplication>,
  ): Promise<ReplyOf<typeof createProviderApplication>> {
    return this.createUseCase.run(input);
  }

  @HandleRequest(providerCredentials)
  credentials({
    applicationId,
  }: InputOf<typeof providerCredentials>): Promise<ReplyOf<typeof providerCredentials>> {
    return this.credentialsUseCase.run(applicationId);
  }

  @HandleRequest(listProviderApplications)
  list(): Promise<ReplyOf<typeof listProviderApplications>> {
    return this.listUseCase.run();
  }

  @HandleRequest(indexCourseProviders)
  index(
    input: InputOf<typeof indexCourseProviders>,
  ): Promise<ReplyOf<typeof indexCourseProviders>> {
    return this.indexUseCase.run(input);
  }

  @HandleRequest(listApplications)
  listForOperator(
    input: InputOf<typeof listApplications>,
  ): Promise<ReplyOf<typeof listApplications>> {
    return this.listForOperatorUseCase.run(input);
  }

  @HandleRequest(resealSecrets)
  reseal(input: InputOf<typeof resealSecrets>): Promise<ReplyOf<typeof resealSecrets>> {
    return this.resealUseCase.run(input);
  }
}
