import '@registrar/platform/require-node';
import { fileURLToPath } from 'node:url';

const { runProcess } = await import('@registrar/bootstrap');
const { createLogger, prettyLog } = await import('@registrar/platform');
const { startDevelopment } = await import('./start-development.ts');

const root = fileURLToPath(new URL('../../../../', import.meta.url));

await runProcess(() => startDevelopment(root), createLogger('development', 'warn', prettyLog()));
