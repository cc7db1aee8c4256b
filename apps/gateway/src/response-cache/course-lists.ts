import type { BusClient, InputOf } from '@registrar/bus';
import { type CourseRecord, indexCourses, type Page } from '@registrar/contracts';
import { Injectable } from '@nestjs/common';
import { CatalogVersions, coursesOf } from './catalog-versions.ts';
import { VersionedCache } from './versioned-cache.ts';

/** Keeps lists of courses, for responses that show something else beside them: the registrations of a key's user. */
@Injectable()
export class CourseLists {
  readonly #cache: VersionedCache<readonly CourseRecord[]>;

  constructor(versions: CatalogVersions) {
    this.#cache = new VersionedCache(versions, (courses) =>
      Buffer.byteLength(JSON.stringify(courses)),
    );
  }

  /** Returns the pages of a list. One that ends with its first page is kept. */
  async *pages(
    bus: BusClient,
    { scope, filters }: Pick<InputOf<typeof indexCourses>, 'scope' | 'filters'>,
    pageSize?: number,
  ): AsyncGenerator<Page<CourseRecord>> {
    const records = coursesOf(scope);
    const parts = [scope.applicationIds, filters, pageSize];
    const place = records && (await this.#cache.find(scope.realmId, parts, records));
    if (place?.value) {
      yield { items: [...place.value], next: null };
      return;
    }
    let isFirst = true;
    for await (const page of bus.pages(indexCourses, { scope, filters }, pageSize)) {
      if (isFirst && page.next === null) place?.keep(page.items);
      isFirst = false;
      yield page;
    }
  }
}
