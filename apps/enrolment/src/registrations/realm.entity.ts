import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A realm that was disabled at least once, under the id that the identity context gave it. */
@Entity('realms')
export class Realm {
  @PrimaryColumn('bigint')
  id!: number;

  /** Of the newest event about the realm. */
  @Column('bigint')
  version!: number;

  /** Launches before this time are ended: infinity while the realm is disabled. */
  @Column('timestamptz')
  launchesEndBefore!: Date | number;
}
