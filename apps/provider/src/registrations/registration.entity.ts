import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  ForeignKey,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { Application } from '../applications/application.entity.ts';
import { Course } from '../courses/course.entity.ts';
import type { GlobalObjectives } from '../results/global-objectives.ts';
import { ResultColumns } from '../results/result-columns.ts';

/** A learner's registration for a version of a course, with the result so far. */
@Entity('registrations')
@Unique(['applicationId', 'registrationId'])
@Index('registrations_by_created', ['applicationId', 'createdAt', 'id'])
@Index('registrations_by_updated', ['applicationId', 'updatedAt', 'id'])
@Index('registrations_by_learner', ['applicationId', 'learnerId'])
@Index('registrations_by_course', ['course'])
@Index('registrations_by_course_version', ['courseVersion'])
export class Registration extends ResultColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @ForeignKey(() => Application)
  @Column('integer')
  applicationId!: number;

  /** The id that the application chose. */
  @Column('text')
  registrationId!: string;

  @ForeignKey(() => Course, { onDelete: 'CASCADE' })
  @Column('integer')
  course!: number;

  @Column('integer')
  courseVersion!: number;

  @Column('text')
  learnerId!: string;

  @Column('text', { nullable: true })
  email!: string | null;

  @Column('text')
  firstName!: string;

  @Column('text')
  lastName!: string;

  /** 0 to 1. */
  @Column('double precision', { nullable: true })
  progress!: number | null;

  @Column('double precision', { default: 0 })
  totalSeconds!: number;

  @Column('text', { array: true, default: [] })
  tags!: string[];

  /** The results that activities share. */
  @Column('jsonb', { default: {} })
  globalObjectives!: GlobalObjectives;

  /** Counts how often all launches were ended. Links contain the number that they were made under. */
  @Column('integer', { default: 0 })
  launchGeneration!: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  updatedAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  firstAccessAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastAccessAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completedAt!: Date | null;
}
