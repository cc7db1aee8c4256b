import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { Application } from '../applications/application.entity.ts';

/** A course of an application. */
@Entity('courses')
@Unique(['applicationId', 'courseId'])
@Index('courses_by_created', ['applicationId', 'createdAt', 'id'])
@Index('courses_by_updated', ['applicationId', 'updatedAt', 'id'])
export class Course {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'ALWAYS' })
  id!: number;

  @ForeignKey(() => Application)
  @Column('integer')
  applicationId!: number;

  /** The id that the application chose. */
  @Column('text')
  courseId!: string;

  @Column('text')
  title!: string;

  @Column('text', { array: true, default: [] })
  tags!: string[];

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  updatedAt!: Date;
}
