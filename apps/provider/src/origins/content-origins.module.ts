import { type DynamicModule, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ContentOrigins } from './content-origins.ts';

/** The origins of course content, for all controllers. */
@Module({})
export class ContentOriginsModule {
  /** @param contentUrl the setting `PROVIDER_CONTENT_URL`, if it is set */
  static register(contentUrl: string | undefined): DynamicModule {
    return {
      module: ContentOriginsModule,
      global: true,
      providers: [
        {
          provide: ContentOrigins,
          inject: [HttpAdapterHost],
          useFactory: (http: HttpAdapterHost) => new ContentOrigins(contentUrl ?? null, http),
        },
      ],
      exports: [ContentOrigins],
    };
  }
}
