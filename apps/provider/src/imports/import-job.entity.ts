import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  ForeignKey,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { Application } from '../applications/application.entity.ts';

/** The import of an uploaded package, as clients can follow it. */
@Entity('import_jobs')
@Index('import_jobs_by_created', ['createdAt'])
export class ImportJob {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @ForeignKey(() => Application)
  @Column('integer')
  applicationId!: number;

  @Column('text')
  courseId!: string;

  @Column('text', { default: 'RUNNING' })
  status!: 'RUNNING' | 'COMPLETE' | 'ERROR';

  @Column('text')
  message!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** The last heartbeat of the process that holds the upload. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  seenAt!: Date;
}
