import { fileURLToPath } from 'node:url';
import { runProcess } from '@registrar/bootstrap';
import { createLogger, prettyLog } from '@registrar/platform';
import { startDevelopment } from './start-development.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

await runProcess(() => startDevelopment(root), createLogger('development', 'warn', prettyLog()));
