import {
  Controller,
  ForbiddenException,
  Get,
  Inject,
  NotFoundException,
  Param,
  Req,
  Res,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { ContentOrigins } from '../origins/content-origins.ts';
import { ReadPackageFile } from '../packages/read-package-file.ts';
import { acceptedEncodings } from './accepted-encodings.ts';
import { contentResponse } from './content-response.ts';
import { Downloads } from './downloads.ts';
import { type ContentFile, FindContent } from './find-content.ts';

/**
 * The files of a course, at URLs that are the same for all launches of a registration, so that browsers need not load
 * them again. The key in the URL, which only windows of the registration have, grants access while one is open. Each
 * preview has URLs of its own, with `preview-` and its launch instead of the registration.
 */
@Controller('content/:holder/:key')
export class ContentController {
  constructor(
    private readonly findContent: FindContent,
    private readonly downloads: Downloads,
    private readonly readPackageFile: ReadPackageFile,
    @Inject(ContentOrigins) private readonly origins: ContentOrigins,
  ) {}

  /** Serves a file of the package, but no service worker: it would answer requests of later launches. */
  @Get('*')
  async file(
    @Param('*') path: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (request.headers['service-worker'] !== undefined) {
      throw new ForbiddenException('Content cannot register a service worker.');
    }
    const file = await this.find(request, path);
    const { status, headers, range } = contentResponse(request.headers, file, path);
    // Fastify reads the whole stream of a HEAD response, only to discard it.
    const isSent = range !== null && request.method !== 'HEAD';
    if (isSent) await this.downloads.begin(file.reader, reply);
    const body = isSent
      ? this.readPackageFile.stream(file, range, file.reader)
      : range && Readable.from([]);
    void reply
      .status(status)
      .headers(headers)
      .send(body ?? undefined);
  }

  /** @throws {NotFoundException} if there is no such file, or no launch is open */
  private async find(request: FastifyRequest, path: string): Promise<ContentFile> {
    const { holder = '', key = '' } = request.params as Readonly<Record<string, string>>;
    const [, preview, id] = /^(preview-)?(\d{1,15})$/.exec(holder) ?? [];
    const of = preview === undefined ? 'registration' : 'preview';
    const host = this.origins.parse(request.headers.host);
    const file =
      id === undefined
        ? null
        : await this.findContent.find(
            { of, id: Number(id), key, host },
            path,
            acceptedEncodings(request),
          );
    if (!file) throw new NotFoundException('The course has no such file.');
    return file;
  }
}
