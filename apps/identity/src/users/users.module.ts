import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { AutocompleteRealmUsers } from './autocomplete-realm-users.ts';
import { CreateRealmUser } from './create-realm-user.ts';
import { EnsureLearners } from './ensure-learners.ts';
import { EnsureUsers } from './ensure-users.ts';
import { IndexRealmUsers } from './index-realm-users.ts';
import { MergeRealmUserCustom } from './merge-realm-user-custom.ts';
import { UpdateRealmUser } from './update-realm-user.ts';

@Module({
  imports: [AuditModule],
  controllers: [
    AutocompleteRealmUsers,
    CreateRealmUser,
    EnsureLearners,
    IndexRealmUsers,
    MergeRealmUserCustom,
    UpdateRealmUser,
  ],
  providers: [EnsureUsers],
  exports: [EnsureUsers],
})
export class UsersModule {}
