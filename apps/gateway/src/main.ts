import { runDistributedApp } from '@registrar/bootstrap';

import { gatewaySettings, startGateway } from './index.ts';

await runDistributedApp('gateway', gatewaySettings, startGateway);
