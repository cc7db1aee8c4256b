import { Module } from '@nestjs/common';
import { CreateRealmUser } from './create-realm-user.ts';
import { EnsureUsers } from './ensure-users.ts';
import { IndexRealmUsers } from './index-realm-users.ts';
import { UpdateRealmUser } from './update-realm-user.ts';

@Module({
  providers: [CreateRealmUser, EnsureUsers, IndexRealmUsers, UpdateRealmUser],
  exports: [EnsureUsers],
})
export class UsersModule {}
