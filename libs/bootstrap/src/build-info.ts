import { productVersion as version } from '@registrar/platform';
import { Gauge, type Registry } from 'prom-client';

/**
 * Exports the version and the commit of the running program as a metric whose value is always 1. The
 * image sets `REGISTRAR_REVISION`; a checkout has `unknown`.
 */
export function registerBuildInfo(registry: Registry): void {
  new Gauge({
    name: 'registrar_build_info',
    help: '1; the labels are the version and the commit of the program.',
    labelNames: ['version', 'commit'],
    registers: [registry],
  }).set({ version, commit: process.env['REGISTRAR_REVISION'] || 'unknown' }, 1);
}
