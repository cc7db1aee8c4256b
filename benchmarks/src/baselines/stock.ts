import 'reflect-metadata';
import { Controller, Get, Inject, Module, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type ClientProxy, ClientsModule } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { stockTransport } from './stock-transport.ts';

@Controller()
class Routes {
  constructor(@Inject('service') private readonly service: ClientProxy) {}

  @Get('course.json')
  courses(@Query('application') application: string) {
    return this.service.send('courses', Number(application));
  }

  @Get('registration.json')
  registrations(
    @Query('application') application: string,
    @Query('course_guid') courseGuid: string,
    @Query('learner_id') learnerId: string,
  ) {
    const key = { applicationId: Number(application), courseGuid, learnerId };
    return this.service.send('registrations', key);
  }
}

class StockGateway {}
Module({
  imports: [ClientsModule.register([{ name: 'service', ...stockTransport() }])],
  controllers: [Routes],
})(StockGateway);

/**
 * The baseline **stock**: two Nest apps on Nest's own RabbitMQ transport. This one serves HTTP and requests
 * the rows from the other one, stock-service.ts, which reads what the contexts would read. It has no access check and no other format.
 */
const app = await NestFactory.create<NestFastifyApplication>(StockGateway, new FastifyAdapter(), {
  logger: ['error'],
});
await app.listen(0, '127.0.0.1');
process.send?.((await app.getUrl()).replace('[::1]', '127.0.0.1'));
