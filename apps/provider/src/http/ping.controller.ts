import { clock } from '@registrar/platform';
import { Get } from '@nestjs/common';
import { ApiController } from './api-controller.ts';
import { ServesPaused } from './api-access.guard.ts';

/** Confirms that the API is up and that the client's credentials are valid. */
@ApiController('ping')
export class PingController {
  @Get()
  @ServesPaused()
  ping() {
    return { apiMessage: 'The API is up.', currentTime: clock.date().toISOString() };
  }
}
