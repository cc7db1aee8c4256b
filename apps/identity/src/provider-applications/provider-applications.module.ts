import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { RealmsModule } from '../realms/realms.module.ts';
import { CreateProviderApplication } from './create-provider-application.ts';
import { FindPostbackAccess } from './find-postback-access.ts';
import { FindProviderCredentials } from './find-provider-credentials.ts';
import { IndexCourseProviders } from './index-course-providers.ts';
import { ListProviderApplicationSummaries } from './list-provider-application-summaries.ts';
import { ListProviderApplications } from './list-provider-applications.ts';
import { ManagePostbackSecret } from './manage-postback-secret.ts';
import { ResealSecrets } from './reseal-secrets.ts';

@Module({
  imports: [AuditModule, RealmsModule],
  controllers: [
    CreateProviderApplication,
    FindPostbackAccess,
    FindProviderCredentials,
    IndexCourseProviders,
    ListProviderApplicationSummaries,
    ListProviderApplications,
    ManagePostbackSecret,
    ResealSecrets,
  ],
})
export class ProviderApplicationsModule {}
