import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A course package that is being uploaded, and how far its import has come. */
@Entity('package_uploads')
export class PackageUpload {
  @PrimaryColumn('bigint') realmId!: number;

  /** Unique within the realm. */
  @PrimaryColumn('uuid') uploadId!: string;

  /** Bytes of all pieces so far. */
  @Column('bigint') size!: number;

  @Index('package_uploads_by_age')
  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** When a piece was last added, or the import last made progress. */
  @Column('timestamptz', { default: () => 'now()' })
  activeAt!: Date;

  /** The provider application whose access sends the upload; null for access to the whole realm. */
  @Column('bigint', { nullable: true }) applicationId!: number | null;

  /** The attempt that the upload belongs to: the one that has sent piece 0 last. */
  @Column('uuid') attemptId!: string;

  /** The course's version before the import, -1 for no course; null until the import starts. */
  @Column('integer', { nullable: true }) importedOver!: number | null;

  /** The provider's import job; null until the provider has returned it. */
  @Column('text', { nullable: true }) importJob!: string | null;
}
