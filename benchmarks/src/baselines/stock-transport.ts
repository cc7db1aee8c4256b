import { type RmqOptions, Transport } from '@nestjs/microservices';

/** Nest's own RabbitMQ transport, with its defaults except for the queue's name and lifetime. */
export const stockTransport = (): RmqOptions => ({
  transport: Transport.RMQ,
  options: {
    urls: [process.env['AMQP_URL'] ?? ''],
    queue: process.env['STOCK_QUEUE'] ?? '',
    queueOptions: { durable: false, autoDelete: true },
    // Without this, a lone request would wait 40 ms for a delayed acknowledgement of TCP.
    socketOptions: { connectionOptions: { noDelay: true } },
  },
});
