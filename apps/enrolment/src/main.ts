import '@registrar/platform/prepare-node';

const { runDistributedApp } = await import('@registrar/bootstrap');
const { enrolmentSettings, startEnrolment } = await import('./index.ts');
const { enrolmentSchema } = await import('./schema.ts');

await runDistributedApp('enrolment', enrolmentSettings, startEnrolment, enrolmentSchema);
