import { mistakesIn } from '../launches/prerequisites.ts';
import { checkRange, checkSequencing } from './check-sequencing.ts';
import type { Findings } from './findings.ts';
import { resolveHref } from './launch-href.ts';
import type { CoursePackage } from './open-package.ts';
import { PackageError } from './package-error.ts';
import { childrenOf, descend, type XmlElement } from './parse-xml.ts';
import type { PlaceOf } from './read-activities.ts';

/** What a check of a manifest needs besides it. */
interface Context {
  readonly files: Pick<CoursePackage, 'find'>;
  readonly findings: Findings;
  readonly placeOf: PlaceOf;
}

/**
 * Finds what a manifest says and the player does not obey (docs/scorm-runtime.md), and what authors get wrong in one that
 * can be imported.
 *
 * @param organization the organization that is imported
 */
export function checkManifest(
  manifest: XmlElement,
  organization: XmlElement,
  context: Context,
): void {
  checkOrganizations(manifest, context);
  const items = itemsOf(organization);
  checkResources(manifest, new Set(items.map((item) => item.attributes['identifierref'])), context);
  const ids = new Set(
    [organization, ...items].map(({ attributes }) => attributes['identifier'] ?? ''),
  );
  for (const item of items) checkItem(item, ids, context);
  checkSequencing(manifest, [organization, ...items], context);
}

const itemsOf = (element: XmlElement): XmlElement[] =>
  childrenOf(element, 'item').flatMap((item) => [item, ...itemsOf(item)]);

function checkOrganizations(manifest: XmlElement, { findings, placeOf }: Context): void {
  const organizations = descend(manifest, 'organizations');
  const all = childrenOf(organizations, 'organization');
  const [first, other] = all;
  if (!first) {
    const message = 'The manifest has no organization: its resources become the items.';
    findings.add('no-organization', message, placeOf(organizations ?? manifest));
    return;
  }
  const chosen = organizations?.attributes['default'];
  if (!all.some(({ attributes }) => attributes['identifier'] === chosen)) {
    const message = chosen
      ? `The default organization ${chosen} does not exist: the first one is imported.`
      : 'The manifest names no default organization: the first one is imported.';
    findings.add('default-organization', message, placeOf(organizations ?? manifest));
  }
  if (other) {
    const message = 'Only one of the organizations is imported.';
    findings.add('several-organizations', message, placeOf(other));
  }
  const [inner] = childrenOf(manifest, 'manifest');
  if (inner) findings.add('sub-manifest', 'Sub-manifests are not imported.', placeOf(inner));
}

/** @param launched the identifiers of resources whose own file the import needs */
function checkResources(
  manifest: XmlElement,
  launched: ReadonlySet<string | undefined>,
  context: Context,
): void {
  const { findings, placeOf } = context;
  const resources = descend(manifest, 'resources');
  const all = childrenOf(resources, 'resource');
  const ids = new Set(all.map(({ attributes }) => attributes['identifier']));
  const outer = [manifest.attributes['base'] ?? '', resources?.attributes['base'] ?? ''];
  for (const resource of all) {
    const bases = [...outer, resource.attributes['base'] ?? ''];
    const { identifier, href } = resource.attributes;
    const others = childrenOf(resource, 'file').filter((file) => file.attributes['href'] !== href);
    for (const file of others) checkHref(file, bases, false, context);
    checkHref(resource, bases, launched.has(identifier), context);
    for (const dependency of childrenOf(resource, 'dependency')) {
      const reference = dependency.attributes['identifierref'] ?? '';
      if (ids.has(reference)) continue;
      const message = `The manifest contains no resource ${reference || 'without a name'}, on which another one depends.`;
      findings.add('dependency-unknown', message, placeOf(dependency));
    }
  }
}

/** @param isNeeded whether the import refuses a package without the file */
function checkHref(
  element: XmlElement,
  bases: readonly string[],
  isNeeded: boolean,
  { files, findings, placeOf }: Context,
): void {
  const { href } = element.attributes;
  if (!href) return;
  const place = placeOf(element);
  const addUnlessNeeded = (rule: 'file-missing' | 'file-outside', message: string) => {
    if (!isNeeded) findings.add(rule, message, place);
  };
  try {
    const resolved = resolveHref(bases, href, files);
    if ('url' in resolved) {
      const message = `The manifest names a file outside of the package: ${resolved.url}`;
      addUnlessNeeded('file-outside', message);
      return;
    }
    const { file, path } = resolved;
    if (file === undefined) {
      const message = `The manifest names ${path}, which the package does not contain.`;
      addUnlessNeeded('file-missing', message);
    } else if (file !== path && file.toLowerCase() === path.toLowerCase()) {
      const message = `The manifest names ${path}, but the file is ${file}: other servers do not find it.`;
      findings.add('file-case', message, place);
    }
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    addUnlessNeeded('file-outside', error.message);
  }
}

/** SCORM 1.2 CAM 2.3.2 and SCORM 2004 CAM 3.4.1.11. */
const timeLimitActions = [
  'exit,message',
  'exit,no message',
  'continue,message',
  'continue,no message',
];

function checkItem(item: XmlElement, ids: ReadonlySet<string>, context: Context): void {
  const { findings, placeOf } = context;
  const id = item.attributes['identifier'] ?? '';
  const score = descend(item, 'masteryscore');
  if (score) checkRange(score, score.text, [0, 100], context);
  const action = descend(item, 'timelimitaction');
  if (action?.text && !timeLimitActions.includes(action.text.toLowerCase())) {
    const message = `timelimitaction of ${id} has no such value: ${action.text}`;
    findings.add('unknown-value', message, placeOf(action));
  }
  const prerequisites = descend(item, 'prerequisites');
  if (prerequisites?.text) {
    const { isMalformed, unknown } = mistakesIn(prerequisites.text, ids);
    if (unknown.length > 0) {
      const names = unknown.slice(0, shownNames).join(', ');
      const message = `The prerequisites of ${id} name no item, and keep nobody out: ${names}`;
      findings.add('prerequisites', message, placeOf(prerequisites));
    } else if (isMalformed) {
      const message = `The prerequisites of ${id} cannot be parsed, and keep nobody out: ${prerequisites.text}`;
      findings.add('prerequisites', message, placeOf(prerequisites));
    }
  }
  checkParameters(item, context);
}

/** How many names a message has. */
const shownNames = 5;

/** What a URL may contain (RFC 3986), and what browsers encode in it. */
const urlCharacters = /^[\w\-.~:/?#[\]@!$&'()*+,;=%\u0080-\uffff]*$/;
const brokenEscape = /%(?![0-9a-f]{2})/i;

function checkParameters(item: XmlElement, { findings, placeOf }: Context): void {
  const { parameters, identifierref, identifier = '' } = item.attributes;
  if (!parameters) return;
  const add = (why: string) => {
    const message = `The launch parameters of ${identifier} ${why}: ${parameters}`;
    findings.add('launch-parameters', message, placeOf(item));
  };
  if (!identifierref) add('have no effect, because it launches nothing');
  else if (!urlCharacters.test(parameters) || brokenEscape.test(parameters)) {
    add('have characters that a URL does not have');
  }
}
