import { Module } from '@nestjs/common';
import { ReadPackageFile } from './read-package-file.ts';
import { StorePackage } from './store-package.ts';

/** Course packages: their manifests, and their files in the database. */
@Module({
  providers: [ReadPackageFile, StorePackage],
  exports: [ReadPackageFile, StorePackage],
})
export class PackagesModule {}
