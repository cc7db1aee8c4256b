import { productVersion } from '@registrar/platform';
import { Get } from '@nestjs/common';
import { ApiController } from './api-controller.ts';

/** Says which product serves the API. */
@ApiController('about')
export class AboutController {
  @Get()
  about() {
    return { version: productVersion, distribution: 'Registrar' };
  }
}
