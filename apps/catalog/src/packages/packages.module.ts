import { type DynamicModule, Module } from '@nestjs/common';
import { type CatalogSettings } from '../settings.ts';
import { AppendPackagePiece, maxPackageBytes } from './append-package-piece.ts';
import { DiscardUpload } from './discard-upload.ts';
import { PackageUploads } from './package-uploads.ts';

/** Course packages on their way to a course provider. */
@Module({})
export class PackagesModule {
  static with(settings: CatalogSettings): DynamicModule {
    return {
      module: PackagesModule,
      controllers: [AppendPackagePiece, DiscardUpload],
      providers: [
        { provide: maxPackageBytes, useValue: settings.MAX_PACKAGE_BYTES },
        PackageUploads,
      ],
      exports: [PackageUploads],
    };
  }
}
