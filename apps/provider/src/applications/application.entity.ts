import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An account at this provider. */
@Entity('applications')
export class Application {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'ALWAYS' })
  id!: number;

  /** The user name of the application's credentials. */
  @Column('text', { unique: true })
  appId!: string;

  @Column('text')
  name!: string;

  @Column('bytea')
  secretHash!: Buffer;

  /** Of the secret key before the last change, which is accepted until `previousValidUntil`. */
  @Column('bytea', { nullable: true })
  previousSecretHash!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  previousValidUntil!: Date | null;

  /** Its realm is disabled. */
  @Column('boolean', { default: false })
  isPaused!: boolean;

  /** Of the newest event about its realm. */
  @Column('bigint', { default: 0 })
  realmVersion!: number;

  /** The largest number of registrations; null for no limit. */
  @Column('integer', { nullable: true })
  registrationLimit!: number | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
