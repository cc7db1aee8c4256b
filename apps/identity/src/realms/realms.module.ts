import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.ts';
import { ChangeRealmCompatibility } from './change-realm-compatibility.ts';
import { ChangeRealmLimits } from './change-realm-limits.ts';
import { CreateRealm } from './create-realm.ts';
import { FindRealm } from './find-realm.ts';
import { ListRealmNames } from './list-realm-names.ts';
import { ListRealms } from './list-realms.ts';
import { Realm } from './realm.entity.ts';
import { RotateRealmSecret } from './rotate-realm-secret.ts';
import { SwitchRealm } from './switch-realm.ts';

@Module({
  imports: [TypeOrmModule.forFeature([Realm]), AuditModule],
  controllers: [
    ChangeRealmCompatibility,
    ChangeRealmLimits,
    CreateRealm,
    ListRealmNames,
    ListRealms,
    RotateRealmSecret,
    SwitchRealm,
  ],
  providers: [FindRealm],
  exports: [FindRealm],
})
export class RealmsModule {}
