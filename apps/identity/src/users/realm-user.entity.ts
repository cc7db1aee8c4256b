import { Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Realm } from '../realms/realm.entity.ts';
import { User } from './user.entity.ts';

/** The membership of a user in a realm. */
@Entity('realm_users')
@Unique(['realmId', 'userId'])
export class RealmUser {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @ForeignKey(() => Realm)
  @Column('bigint')
  realmId!: number;

  @ForeignKey(() => User)
  @Column('bigint')
  userId!: number;

  /** In the spelling that the realm gave first; null for that of the user (membership.ts). */
  @Column('text', { nullable: true })
  email!: string | null;

  /** The id that the realm sees; null for that of the user (membership.ts). */
  @Column('bigint', { nullable: true })
  publicUserId!: number | null;

  /** See realm-roles.ts. */
  @Column('integer', { default: 1 })
  realmRoleId!: number;

  @Column('text', { nullable: true })
  custom!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
