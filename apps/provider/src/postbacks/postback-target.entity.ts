import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Registration } from '../registrations/registration.entity.ts';
import type { AuthType, ResultsFormat } from './postback-request.ts';

/** Where changes of a registration's result are posted. */
@Entity('postback_targets')
export class PostbackTarget {
  @ForeignKey(() => Registration, { onDelete: 'CASCADE' })
  @PrimaryColumn('bigint')
  registration!: number;

  @Column('text')
  url!: string;

  @Column('text')
  authType!: AuthType;

  @Column('text')
  userName!: string;

  /** Sealed under the key of `LAUNCH_KEY_FILE`. */
  @Column('text')
  sealedPassword!: string;

  @Column('text')
  resultsFormat!: ResultsFormat;
}
