import { Module } from '@nestjs/common';
import { ReportDemand } from './report-demand.ts';

/** Lets the gateways share the limits of realms, keys and addresses. */
@Module({ providers: [ReportDemand] })
export class GatewayDemandModule {}
