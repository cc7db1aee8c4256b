import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { Downloads } from '../launches/downloads.ts';
import { ReadPackageFile } from '../packages/read-package-file.ts';
import { FindPackage, type PackageFile, type StoredPackage } from './find-package.ts';
import { zipOf } from './zip-of.ts';

/** Content must not be shown at the origin of the API. */
const downloadHeaders = {
  'content-type': 'application/octet-stream',
  'x-content-type-options': 'nosniff',
};

/** Sends files of packages to clients of the API, in turn with the downloads of course windows. */
@Injectable()
export class SendPackage {
  constructor(
    private readonly packages: FindPackage,
    private readonly downloads: Downloads,
    private readonly readPackageFile: ReadPackageFile,
  ) {}

  async sendFile(
    application: AuthenticatedApplication,
    file: PackageFile,
    reply: FastifyReply,
  ): Promise<void> {
    await this.begin(application, reply);
    void reply
      .headers({ ...downloadHeaders, 'content-length': file.size })
      .header('content-disposition', 'attachment')
      .send(this.read(application, file));
  }

  /** Sends all files of a package as a zip file, which is made while it is sent. */
  async sendZip(
    application: AuthenticatedApplication,
    stored: StoredPackage,
    reply: FastifyReply,
  ): Promise<void> {
    await this.begin(application, reply);
    const files = await this.packages.files(stored);
    const zip = zipOf(files, stored.created_at, (file) => this.read(application, file));
    void reply
      .headers({ ...downloadHeaders, 'content-type': 'application/zip' })
      .header('content-disposition', 'attachment; filename="course.zip"')
      .send(zip);
  }

  private begin(application: AuthenticatedApplication, reply: FastifyReply): Promise<void> {
    return this.downloads.begin(readerOf(application), reply);
  }

  private read(application: AuthenticatedApplication, file: PackageFile): Readable {
    const all = { first: 0, last: file.size - 1 };
    return this.readPackageFile.stream(file, all, readerOf(application));
  }
}

/** All downloads by the API of an application take turns as those of one registration. */
const readerOf = ({ id }: AuthenticatedApplication) => ({ realmId: id, key: `API of ${id}` });
