import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { listCourses, listRegistrations, openPool, type RegistrationKey } from './queries.ts';
import { stockTransport } from './stock-transport.ts';

const pool = openPool(process.env['DATABASE_URL'] ?? '');

@Controller()
class Queries {
  @MessagePattern('courses')
  courses(@Payload() applicationId: number) {
    return listCourses(pool, applicationId);
  }

  @MessagePattern('registrations')
  registrations(@Payload() key: RegistrationKey) {
    return listRegistrations(pool, key);
  }
}

class StockService {}
Module({ controllers: [Queries] })(StockService);

/** The second process of the baseline **stock** (stock.ts): the service with the data. */
const service = await NestFactory.createMicroservice(StockService, {
  ...stockTransport(),
  logger: ['error'],
});
await service.listen();
process.send?.('ready');
