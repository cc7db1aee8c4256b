import { clientAddress } from '@registrar/bootstrap';
import { Body, Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentSession } from '../sessions/current-session.ts';
import { CallLimits } from './call-limits.ts';
import { MakeCall } from './make-call.ts';

/** Answers the calls of the client. */
@Controller('api/calls')
export class CallsController {
  constructor(
    private readonly current: CurrentSession,
    private readonly makeCall: MakeCall,
    private readonly limits: CallLimits,
  ) {}

  @Post(':name')
  @HttpCode(200)
  async call(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('name') name: string,
    @Body() body: unknown,
  ): Promise<unknown> {
    void reply.header('cache-control', 'no-store').type('application/json; charset=utf-8');
    const session = await this.current.require(request);
    const checked = this.makeCall.check(name, body ?? {}, session);
    const origin = { requestId: request.id, clientAddress: clientAddress(request.ip) };
    const answer = await this.limits.run(session.tokenHash.toString('base64'), () =>
      this.makeCall.make(checked, session, origin),
    );
    return JSON.stringify(answer ?? {});
  }
}
