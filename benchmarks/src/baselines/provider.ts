import { SimulatedProvider } from '@registrar/testing';

/**
 * A course provider that responds at once, as a process of its own: what remains of a request's time is ours. Its
 * only account is `PROVIDER_APP_ID`, with one course of the same name.
 */
const provider = await SimulatedProvider.start();
const appId = process.env['PROVIDER_APP_ID'] ?? '';
provider.addAccount(appId).addCourse(appId);
process.send?.(provider.url);
