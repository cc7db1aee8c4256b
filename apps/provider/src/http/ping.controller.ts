import { Get } from '@nestjs/common';
import { ApiController } from './api-controller.ts';

/** Confirms that the API is up and that the client's credentials are valid. */
@ApiController('ping')
export class PingController {
  @Get()
  ping() {
    return { apiMessage: 'The API is up.', currentTime: new Date().toISOString() };
  }
}
