import { Body, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { versionOrNull } from '../courses/version-number.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { flag } from '../http/parse.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { InstancePipe } from '../registrations/instance.pipe.ts';
import { Configurations, type Level } from './configurations.ts';
import { toSettingItems } from './setting-list.ts';
import { configurationOf, type SettingsBody, settingsBody } from './settings-body.ts';
import { type SettingId, settingId } from './settings.ts';

const configurationQuery = z.strictObject({ includeMetadata: flag.default(false) });
type ConfigurationQuery = z.output<typeof configurationQuery>;

const queryPipe = new SchemaPipe(configurationQuery);
const bodyPipe = new SchemaPipe(settingsBody);
const idPipe = new SchemaPipe(settingId);
const versionPipe = new SchemaPipe(versionOrNull);

const ofApplication: Level = { of: 'application' };

/** Settings of an application, which hold for its courses and registrations. */
@ApiController('appManagement/configuration')
export class ApplicationConfiguration {
  constructor(private readonly configurations: Configurations) {}

  @Get()
  async read(
    @CurrentApplication() application: AuthenticatedApplication,
    @QueryParameters(queryPipe) { includeMetadata }: ConfigurationQuery,
  ) {
    const layers = await this.configurations.read(application, ofApplication);
    return toSettingItems(layers, includeMetadata);
  }

  @Post()
  @HttpCode(204)
  change(
    @CurrentApplication() application: AuthenticatedApplication,
    @Body(bodyPipe) body: SettingsBody,
  ): Promise<void> {
    return this.configurations.change(application, ofApplication, configurationOf(body));
  }

  @Delete(':settingId')
  @HttpCode(204)
  remove(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('settingId', idPipe) id: SettingId,
  ): Promise<void> {
    return this.configurations.remove(application, ofApplication, id);
  }
}

/** Settings of a course, or of one of its versions. */
@ApiController('courses/:courseId')
export class CourseConfiguration {
  constructor(private readonly configurations: Configurations) {}

  @Get(['configuration', 'versions/:version/configuration'])
  async read(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @Param('version', versionPipe) version: number | null,
    @QueryParameters(queryPipe) { includeMetadata }: ConfigurationQuery,
  ) {
    const layers = await this.configurations.read(application, { of: 'course', courseId, version });
    return toSettingItems(layers, includeMetadata);
  }

  @Post(['configuration', 'versions/:version/configuration'])
  @HttpCode(204)
  change(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @Param('version', versionPipe) version: number | null,
    @Body(bodyPipe) body: SettingsBody,
  ): Promise<void> {
    const level: Level = { of: 'course', courseId, version };
    return this.configurations.change(application, level, configurationOf(body));
  }

  @Delete(['configuration/:settingId', 'versions/:version/configuration/:settingId'])
  @HttpCode(204)
  remove(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @Param('version', versionPipe) version: number | null,
    @Param('settingId', idPipe) id: SettingId,
  ): Promise<void> {
    return this.configurations.remove(application, { of: 'course', courseId, version }, id);
  }
}

/** Settings of a registration. */
@ApiController('registrations/:registrationId')
export class RegistrationConfiguration {
  constructor(private readonly configurations: Configurations) {}

  @Get(['configuration', 'instances/:instance/configuration'])
  async read(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('registrationId') registrationId: string,
    @Param('instance', InstancePipe) instance: number | null,
    @QueryParameters(queryPipe) { includeMetadata }: ConfigurationQuery,
  ) {
    const level: Level = { of: 'registration', registrationId, instance };
    return toSettingItems(await this.configurations.read(application, level), includeMetadata);
  }

  @Post(['configuration', 'instances/:instance/configuration'])
  @HttpCode(204)
  change(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('registrationId') registrationId: string,
    @Param('instance', InstancePipe) instance: number | null,
    @Body(bodyPipe) body: SettingsBody,
  ): Promise<void> {
    const level: Level = { of: 'registration', registrationId, instance };
    return this.configurations.change(application, level, configurationOf(body));
  }

  @Delete(['configuration/:settingId', 'instances/:instance/configuration/:settingId'])
  @HttpCode(204)
  remove(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('registrationId') registrationId: string,
    @Param('instance', InstancePipe) instance: number | null,
    @Param('settingId', idPipe) id: SettingId,
  ): Promise<void> {
    return this.configurations.remove(
      application,
      { of: 'registration', registrationId, instance },
      id,
    );
  }
}
