import { Get } from '@nestjs/common';
import { ApiController } from './api-controller.ts';

/** Lets a client see that the API answers and that its credentials are good. */
@ApiController('ping')
export class PingController {
  @Get()
  ping() {
    return { apiMessage: 'The API is up.', currentTime: new Date().toISOString() };
  }
}
