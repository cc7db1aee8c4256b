import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Registration } from '../registrations/registration.entity.ts';
import { ResultColumns } from '../results/result-columns.ts';
import type { RuntimeData } from '../results/runtime.ts';

/** The state of a launchable item of a course for one registration. */
@Entity('sco_states')
export class ScoState extends ResultColumns {
  @ForeignKey(() => Registration, { onDelete: 'CASCADE' })
  @PrimaryColumn('bigint')
  registration!: number;

  @PrimaryColumn('text')
  activityId!: string;

  @Column('integer', { default: 1 })
  attempts!: number;

  /** The content asked to be resumed, or its window was closed before its session ended. */
  @Column('boolean', { default: true })
  suspended!: boolean;

  /** 0 to 1. */
  @Column('double precision', { nullable: true })
  progress!: number | null;

  @Column('double precision', { default: 0 })
  seconds!: number;

  @Column('jsonb', { default: {} })
  runtime!: RuntimeData;

  /** How often the item was opened. */
  @Column('integer', { default: 1 })
  sittings!: number;

  /** The number of the opening that reported last. */
  @Column('integer', { default: 0 })
  sitting!: number;

  /** The number of the last report in that opening. */
  @Column('integer', { default: 0 })
  sequence!: number;

  /** The number of the report that each branch of the data was stored from. */
  @Column('jsonb', { default: {} })
  branchSequences!: Readonly<Record<string, number>>;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  openedAt!: Date;
}
