import { allPermissions, type Permission } from '@registrar/contracts';
import { Column, Entity, ForeignKey, PrimaryGeneratedColumn } from 'typeorm';
import { ProviderApplication } from '../provider-applications/provider-application.entity.ts';
import { Realm } from '../realms/realm.entity.ts';
import { RealmUser } from '../users/realm-user.entity.ts';

/** An API key. The foreign keys guarantee that it reaches nothing outside of its realm. */
@Entity('api_keys')
@ForeignKey(() => ProviderApplication, ['realmId', 'providerApplicationId'], ['realmId', 'id'])
@ForeignKey(() => RealmUser, ['realmId', 'userId'], ['realmId', 'userId'])
export class ApiKey {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  /** SHA-256 of the token. */
  @Column('bytea', { unique: true })
  tokenHash!: Buffer;

  @ForeignKey(() => Realm)
  @Column('bigint')
  realmId!: number;

  /** Null for a key of the whole realm. */
  @Column('bigint', { nullable: true })
  providerApplicationId!: number | null;

  /** Null for a key that is not bound to a user. */
  @Column('bigint', { nullable: true })
  userId!: number | null;

  @Column('text', { array: true, default: [...allPermissions] })
  permissions!: Permission[];

  /** Null for the lifetime of the settings, which is also the longest. */
  @Column('integer', { nullable: true })
  lifetimeHours!: number | null;

  @Column('timestamptz')
  expiresAt!: Date;

  /** It is not renewed beyond this time, if any. */
  @Column('timestamptz', { nullable: true })
  endsAt!: Date | null;

  /** Precise to a few minutes; null before the first use. */
  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  /** When a renewal was last recorded in the audit log. */
  @Column('timestamptz', { nullable: true })
  renewalAuditedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
