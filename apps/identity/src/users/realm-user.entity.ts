import { Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Realm } from '../realms/realm.entity.ts';
import { User } from './user.entity.ts';

/** The membership of a user in a realm. */
@Entity('realm_users')
@Unique(['realmId', 'userId'])
@Unique(['realmId', 'publicUserId'])
export class RealmUser {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @ForeignKey(() => Realm)
  @Column('bigint')
  realmId!: number;

  @ForeignKey(() => User)
  @Column('bigint')
  userId!: number;

  /** The address in the spelling that the realm gave first. */
  @Column('text')
  email!: string;

  /** The id that the realm sees, which shows nothing of other realms (contract/realm-users#own-users). */
  @Column('bigint', { default: () => "nextval('public_user_ids')" })
  publicUserId!: number;

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
