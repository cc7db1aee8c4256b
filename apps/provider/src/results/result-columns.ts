import { Column } from 'typeorm';
import type { Completion, Success } from './result.ts';

/** The columns of a result, which several records have. */
export abstract class ResultColumns {
  @Column('text', { default: 'UNKNOWN' })
  completion!: Completion;

  @Column('text', { default: 'UNKNOWN' })
  success!: Success;

  /** 0 to 100; null if none was reported. */
  @Column('double precision', { nullable: true })
  score!: number | null;
}
