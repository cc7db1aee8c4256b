import { type CourseStructure, launchablesOf } from './course-structure.ts';
import { findApiUsers } from './find-api-users.ts';
import type { CoursePackage } from './open-package.ts';
import { childrenOf, descend, type XmlElement } from './parse-xml.ts';

/** How many items a warning names, and how much of each identifier. */
const shownItems = { number: 5, length: 60 };

/** An item of the organization, or the organization, with the sequencing that applies to it. */
interface Part {
  readonly id: string;
  /** Its own sequencing, and the one of the collection that it refers to. */
  readonly sequencing: readonly XmlElement[];
}

type Test = (part: Part) => boolean;

/** Tests for elements of the sequencing at a path of names; with `attributes`, for those that have one of them. */
const sequencing =
  (path: string, attributes?: readonly string[]): Test =>
  (part) =>
    path
      .split('/')
      .reduce<readonly XmlElement[]>(
        (above, name) => above.flatMap((each) => childrenOf(each, name)),
        part.sequencing,
      )
      .some((element) => !attributes || attributes.some((name) => element.attributes[name]));

/** What manifests say and the player does not obey (docs/scorm-runtime.md): SCORM 2004 CAM 5.1. */
const disregarded: Readonly<Record<string, Test>> = {
  'Limits of time other than attemptAbsoluteDurationLimit are not obeyed': sequencing(
    'limitconditions',
    [
      'attemptexperienceddurationlimit',
      'activityabsolutedurationlimit',
      'activityexperienceddurationlimit',
      'begintimelimit',
      'endtimelimit',
    ],
  ),
  'Auxiliary resources are not used': sequencing('auxiliaryresources/auxiliaryresource'),
};

/**
 * Returns what the import saw in a package and the player does not obey, as sentences in English.
 * Each kind has one sentence, which names the first items that it concerns: the number and the
 * length of the warnings do not grow with the package.
 *
 * @param organization the organization that the structure was read from
 */
export async function readWarnings(
  manifest: XmlElement,
  organization: XmlElement,
  structure: CourseStructure,
  coursePackage: CoursePackage,
): Promise<string[]> {
  const collection = childrenOf(descend(manifest, 'sequencingcollection'), 'sequencing');
  const shared = new Map(collection.map((each) => [each.attributes['id'] ?? '', each]));
  const parts = partsOf(organization, shared);
  const warnings = Object.entries(disregarded).flatMap(([warning, applies]) => {
    const concerned = parts.filter(applies);
    return concerned.length === 0 ? [] : [withItems(warning, concerned)];
  });
  const others = childrenOf(descend(manifest, 'organizations'), 'organization').length - 1;
  if (others > 0) warnings.push('Only one of the organizations is imported.');
  if (childrenOf(manifest, 'manifest').length > 0) warnings.push('Sub-manifests are not imported.');
  const assets = launchablesOf(structure.root).filter(({ resource }) => resource.type === 'ASSET');
  const users = await findApiUsers(assets, coursePackage);
  if (users.length > 0) {
    warnings.push(
      withItems('Marked as an asset, but calls the API: completed as soon as it is opened', users),
    );
  }
  return warnings;
}

function partsOf(item: XmlElement, shared: ReadonlyMap<string, XmlElement>): Part[] {
  const own = descend(item, 'sequencing');
  const referred = shared.get(own?.attributes['idref'] ?? '');
  const part = {
    id: item.attributes['identifier'] ?? '',
    sequencing: [own, referred].filter((each) => each !== undefined),
  };
  return [part, ...childrenOf(item, 'item').flatMap((child) => partsOf(child, shared))];
}

function withItems(warning: string, parts: readonly { readonly id: string }[]): string {
  const names = parts
    .slice(0, shownItems.number)
    .map(({ id }) => (id.length > shownItems.length ? `${id.slice(0, shownItems.length)}…` : id));
  const rest = parts.length - names.length;
  return `${warning} (${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}).`;
}
