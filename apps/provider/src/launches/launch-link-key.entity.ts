import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A key that signs launch links, or did so until it was rotated. All replicas share it. */
@Entity('launch_link_keys')
export class LaunchLinkKey {
  /** The `kid` in the header of the links that it signed (RFC 7515, 4.1.4). */
  @PrimaryColumn('text')
  kid!: string;

  /** The key in base64url, sealed under the key of `LAUNCH_KEY_FILE`. */
  @Column('text')
  sealedKey!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  createdAt!: Date;

  /** When links that it signed are refused. Null for the key that signs. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endsAt!: Date | null;
}
