import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.ts';
import {
  ApplicationConfiguration,
  CourseConfiguration,
  RegistrationConfiguration,
} from './configuration.controllers.ts';
import { Configurations } from './configurations.ts';
import { ResealPasswords } from './reseal-passwords.ts';
import { SealConfiguration } from './seal-configuration.ts';

/** Settings at the levels of the API: applications, courses, course versions and registrations. */
@Module({
  imports: [ApplicationsModule],
  controllers: [ApplicationConfiguration, CourseConfiguration, RegistrationConfiguration],
  providers: [Configurations, ResealPasswords, SealConfiguration],
  exports: [SealConfiguration],
})
export class ConfigurationModule {}
