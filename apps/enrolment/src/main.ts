import { runDistributedApp } from '@registrar/bootstrap';

import { enrolmentSettings, startEnrolment } from './index.ts';
import { enrolmentSchema } from './schema.ts';

await runDistributedApp('enrolment', enrolmentSettings, startEnrolment, enrolmentSchema);
