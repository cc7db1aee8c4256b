import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key of the previous version, which did not seal keys: {@link LaunchLinkKeys} takes it over. */
@Entity('signing_keys')
export class SigningKey {
  @PrimaryColumn('text')
  purpose!: string;

  @Column('bytea')
  key!: Buffer;
}
