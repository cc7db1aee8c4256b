import { type Sql, sql } from '@registrar/persistence';
import { NotFoundException, type PipeTransform } from '@nestjs/common';

/** The number of an instance in a path; null if the path has none. @throws {NotFoundException} for another text */
export class InstancePipe implements PipeTransform {
  transform(given: string | undefined): number | null {
    if (given === undefined) return null;
    if (!/^\d{1,9}$/.test(given)) throw instanceNotFound(given);
    return Number(given);
  }
}

export const instanceNotFound = (instance: number | string) =>
  new NotFoundException(`Could not find instance ${instance} of the registration`);

/** Condition: the row of `registrations AS r` has the instance. */
export const hasInstance = (instance: number): Sql =>
  sql`(r.instance = ${instance} OR EXISTS (
    SELECT FROM former_instances AS f WHERE f.registration = r.id AND f.instance = ${instance}
  ))`;
