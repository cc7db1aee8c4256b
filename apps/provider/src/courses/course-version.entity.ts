import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { Course } from './course.entity.ts';
import type { CourseStructure } from '../packages/course-structure.ts';

/** A version of a course: an imported package. */
@Entity('course_versions')
@Unique(['course', 'version'])
export class CourseVersion {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @ForeignKey(() => Course, { onDelete: 'CASCADE' })
  @Column('integer')
  course!: number;

  /** From 0. */
  @Column('integer')
  version!: number;

  @Column('text')
  title!: string;

  /** Bytes of the uploaded package. */
  @Column('bigint')
  size!: number;

  @Column('jsonb')
  structure!: CourseStructure;

  /** What the import saw and the player does not obey. */
  @Column('text', { array: true, default: [] })
  warnings!: string[];

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  createdAt!: Date;
}
