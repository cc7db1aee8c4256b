import { runDistributedApp } from '#libs/bus';
import { identitySettings, startIdentity } from './index.ts';

await runDistributedApp('identity', identitySettings, startIdentity);
