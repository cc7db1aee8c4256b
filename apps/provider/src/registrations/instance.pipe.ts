import { NotFoundException, type PipeTransform } from '@nestjs/common';

/** The only instance: a registration keeps the course version that it was created for. */
const onlyInstance = '0';

/** The number of an instance in a path. @throws {NotFoundException} for another one than 0 */
export class InstancePipe implements PipeTransform {
  transform(given: string | undefined): void {
    if (given === undefined || given === onlyInstance) return;
    throw new NotFoundException(`Could not find instance ${given} of the registration`);
  }
}
