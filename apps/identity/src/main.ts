import { runDistributedApp } from '#libs/bus';
import { identitySettings, startIdentity } from './index.ts';
import { identitySchema } from './schema.ts';

await runDistributedApp('identity', identitySettings, startIdentity, identitySchema);
