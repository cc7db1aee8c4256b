import type { Activity, Resource } from './course-structure.ts';
import { launchHref } from './launch-href.ts';
import { PackageError } from './package-error.ts';
import { childrenOf, descend, textAt, type XmlElement } from './xml.ts';

/** What the items of one manifest refer to. */
interface Context {
  readonly resources: ReadonlyMap<string, XmlElement>;
  readonly bases: readonly string[];
  /** Sequencing that several items share, by its id (SCORM 2004 CAM 5.2). */
  readonly sequencings: ReadonlyMap<string, XmlElement>;
  readonly files: ReadonlyMap<string, number>;
  readonly seen: Set<string>;
}

/**
 * Reads the tree of an organization.
 *
 * @throws {PackageError} when an item refers to something that is not there
 */
export function readActivities(
  manifest: XmlElement,
  organization: XmlElement,
  title: string,
  files: ReadonlyMap<string, number>,
): Activity {
  const resources = descend(manifest, 'resources');
  const collection = descend(manifest, 'sequencingcollection');
  const context: Context = {
    resources: byAttribute(childrenOf(resources, 'resource'), 'identifier'),
    bases: [manifest.attributes['base'] ?? '', resources?.attributes['base'] ?? ''],
    sequencings: byAttribute(childrenOf(collection, 'sequencing'), 'id'),
    files,
    seen: new Set(),
  };
  return { ...activityOf(organization, context), title };
}

const byAttribute = (elements: readonly XmlElement[], name: string) =>
  new Map(elements.map((element) => [element.attributes[name] ?? '', element]));

function activityOf(item: XmlElement, context: Context): Activity {
  const id = item.attributes['identifier'] ?? '';
  if (id === '' || context.seen.has(id)) {
    throw new PackageError(`The manifest's items need identifiers of their own: ${id || 'none'}`);
  }
  context.seen.add(id);
  return {
    id,
    title: textAt(item, 'title') || id,
    visible: item.attributes['isvisible'] !== 'false',
    resource: resourceOf(item, context),
    launchData: textAt(item, 'datafromlms'),
    masteryScore: numberIn(textAt(item, 'masteryscore'), 0, 100),
    timeLimitAction: textAt(item, 'timelimitaction'),
    ...sequencingOf(item, context),
    completionThreshold: completionThresholdOf(item),
    children: childrenOf(item, 'item').map((child) => activityOf(child, context)),
  };
}

function resourceOf(item: XmlElement, context: Context): Resource | null {
  const reference = item.attributes['identifierref'];
  if (!reference) return null;
  const resource = context.resources.get(reference);
  if (!resource) throw new PackageError(`The manifest holds no resource ${reference}.`);
  const { attributes } = resource;
  if (!attributes['href']) return null;
  const { href, path } = launchHref(
    [...context.bases, attributes['base'] ?? ''],
    attributes['href'],
    item.attributes['parameters'] ?? '',
  );
  if (!context.files.has(path)) {
    throw new PackageError(`The manifest launches ${path}, but the package does not hold it.`);
  }
  const isSco = attributes['scormtype']?.toLowerCase() === 'sco';
  return { id: reference, href, type: isSco ? 'SCO' : 'ASSET' };
}

function sequencingOf(item: XmlElement, context: Context) {
  const own = descend(item, 'sequencing');
  const shared = context.sequencings.get(own?.attributes['idref'] ?? '');
  const find = (...names: string[]) => descend(own, ...names) ?? descend(shared, ...names);
  const primary = find('objectives', 'primaryobjective');
  const byMeasure = primary?.attributes['satisfiedbymeasure'] === 'true';
  const measure = numberIn(textAt(primary, 'minnormalizedmeasure'), -1, 1);
  const limit = find('limitconditions')?.attributes['attemptabsolutedurationlimit'];
  return {
    // Where the measure is left out, it is 1 (SCORM 2004 SN 3.10.1).
    scaledPassingScore: byMeasure ? (measure ?? 1) : null,
    maxTimeAllowed: textAt(item, 'maxtimeallowed') || limit || '',
  };
}

/** The 4th edition writes attributes, the 3rd a number as text (CAM 3.4.1.12). */
function completionThresholdOf(item: XmlElement): number | null {
  const threshold = descend(item, 'completionthreshold');
  if (!threshold) return null;
  const { completedbymeasure, minprogressmeasure } = threshold.attributes;
  if (completedbymeasure !== undefined || minprogressmeasure !== undefined) {
    return completedbymeasure === 'true' ? (numberIn(minprogressmeasure, 0, 1) ?? 1) : null;
  }
  return numberIn(threshold.text, 0, 1);
}

function numberIn(text: string | undefined, least: number, most: number): number | null {
  const value = text ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}
