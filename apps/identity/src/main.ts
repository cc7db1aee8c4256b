import { runDistributedApp } from '@registrar/bootstrap';
import { identitySettings, startIdentity } from './index.ts';
import { identitySchema } from './schema.ts';

await runDistributedApp('identity', identitySettings, startIdentity, identitySchema);
