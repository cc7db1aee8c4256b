import { HandleBroadcast } from '@registrar/bus';
import { type AppStatus, appStatusReports } from '@registrar/contracts';
import { Controller, type Type } from '@nestjs/common';
import { Installation } from './installation.ts';

/** Returns a controller that receives the reports of all apps. */
export function statusReportsHandler(): Type {
  class StatusReportsHandler {
    constructor(readonly installation: Installation) {}
  }
  for (const contract of Object.values(appStatusReports)) {
    const descriptor = {
      value(this: StatusReportsHandler, status: AppStatus): void {
        this.installation.note(status);
      },
      configurable: true,
    };
    Object.defineProperty(StatusReportsHandler.prototype, contract.name, descriptor);
    HandleBroadcast(contract)(StatusReportsHandler.prototype, contract.name, descriptor);
  }
  Controller()(StatusReportsHandler);
  Reflect.defineMetadata('design:paramtypes', [Installation], StatusReportsHandler);
  return StatusReportsHandler;
}
