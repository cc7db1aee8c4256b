import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  ForeignKey,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { Registration } from '../registrations/registration.entity.ts';
import { ResultColumns } from '../results/result-columns.ts';

/** An opening of a course in a browser window. */
@Entity('launches')
@Index('launches_by_registration', ['registration', 'id'])
export class Launch extends ResultColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @ForeignKey(() => Registration, { onDelete: 'CASCADE' })
  @Column('bigint')
  registration!: number;

  /** The hash of the token in the window's URL. */
  @Column('bytea', { unique: true })
  tokenHash!: Buffer;

  /** Names the launch and its origin. */
  @Column('text', { unique: true })
  label!: string;

  /** False for a review, in which nothing is recorded. */
  @Column('boolean')
  tracking!: boolean;

  @Column('text', { nullable: true })
  redirectUrl!: string | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  launchedAt!: Date;

  /** When the window was first loaded: from then on, its link opens no other. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  loadedAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  exitedAt!: Date | null;

  /** When the last report of the window was stored. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  savedAt!: Date | null;

  /** Seconds tracked in this window. */
  @Column('double precision', { default: 0 })
  seconds!: number;
}
