import { BusClient } from '@registrar/bus';
import {
  indexRegistrations,
  listedRegistrationRecord,
  readQueryResult,
  runQuery,
} from '@registrar/contracts';
import { defineRecord, defineRecordFromColumns } from '@registrar/formats';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toIndexInput } from '../registrations/registration-filters.ts';
import { listRegistrations } from '../registrations/registrations.calls.ts';
import { runReport, toRunInput } from '../reports/reports.calls.ts';
import { Exports } from './exports.ts';

const registration = defineRecord('registration', 'registrations', listedRegistrationRecord);

/** Sends lists of the API as files: what calls show of them, completely. */
@Controller('api/exports')
export class ExportsController {
  constructor(
    private readonly bus: BusClient,
    private readonly exports: Exports,
  ) {}

  /** Takes the input of the call `registrations.list`. */
  @Get('registrations')
  exportRegistrations(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() query: unknown,
  ): Promise<void> {
    return this.exports.send(request, reply, query, {
      call: 'registrations.list',
      operation: 'registration index',
      open: async (_scope, input) => {
        const {
          realm: _,
          cursor: __,
          limit: ___,
          ...selection
        } = listRegistrations.input.parse(input);
        const filters = { ...toIndexInput(selection), mayBeOld: true };
        return {
          fileName: 'registrations',
          record: registration,
          readPage: (scope, page) => this.bus.page(indexRegistrations, { scope, ...filters }, page),
        };
      },
    });
  }

  /** Takes the input of the call `reports.run`, and runs the report. */
  @Get('reports')
  exportReport(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() query: unknown,
  ): Promise<void> {
    return this.exports.send(request, reply, query, {
      call: 'reports.run',
      operation: 'run',
      open: async (begunBy, input) => {
        const wanted = runReport.input.parse(input);
        const { resultId, columns } = await this.bus.request(runQuery, {
          scope: begunBy,
          ...toRunInput(wanted),
        });
        return {
          fileName: wanted.report.replace(/[^\w.-]/g, '_'),
          record: defineRecordFromColumns('row', 'rows', columns),
          readPage: (scope, page) => this.bus.page(readQueryResult, { scope, resultId }, page),
        };
      },
    });
  }
}
