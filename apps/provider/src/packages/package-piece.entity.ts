import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { PackageFile } from './package-file.entity.ts';

/** A piece of a file's content. All pieces but the last one of a file have the same size. */
@Entity('package_pieces')
export class PackagePiece {
  @ForeignKey(() => PackageFile, { onDelete: 'CASCADE' })
  @PrimaryColumn('bigint')
  file!: number;

  /** The position of the piece in its file, from 0. */
  @PrimaryColumn('integer')
  index!: number;

  @Column('bytea')
  bytes!: Buffer;
}
