import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A person, identified by an e-mail address. Unique by `lower(email)`. */
@Entity('users')
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  /** In the spelling that the first realm gave; realms show their own (membership.ts). */
  @Column('text')
  email!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
