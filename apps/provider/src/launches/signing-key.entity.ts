import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that all replicas share. */
@Entity('signing_keys')
export class SigningKey {
  @PrimaryColumn('text')
  purpose!: string;

  @Column('bytea')
  key!: Buffer;
}
