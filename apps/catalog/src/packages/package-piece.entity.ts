import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { PackageUpload } from './package-upload.entity.ts';

/** A piece of a course package, at most 512 KiB. */
@Entity('package_pieces')
@ForeignKey(() => PackageUpload, ['realmId', 'uploadId'], ['realmId', 'uploadId'], {
  onDelete: 'CASCADE',
})
export class PackagePiece {
  @PrimaryColumn('bigint') realmId!: number;

  @PrimaryColumn('uuid') uploadId!: string;

  /** Pieces are numbered from 0. */
  @PrimaryColumn('bigint') index!: number;

  @Column('bytea') bytes!: Buffer;
}
