import { runDistributedApp } from '#libs/bus';
import { gatewaySettings, startGateway } from './index.ts';

await runDistributedApp('gateway', gatewaySettings, startGateway);
