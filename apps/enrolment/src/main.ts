import { runDistributedApp } from '#libs/bus';
import { enrolmentSettings, startEnrolment } from './index.ts';

await runDistributedApp('enrolment', enrolmentSettings, startEnrolment);
