import {
  type Activity,
  type CourseSequencing,
  hiddenControls,
  isSco,
  type Resource,
} from './course-structure.ts';
import type { Findings } from './findings.ts';
import { launchHref } from './launch-href.ts';
import type { CoursePackage } from './open-package.ts';
import type { Place } from './package-finding.ts';
import { childrenOf, descend, numberIn, textAt, type XmlElement } from './parse-xml.ts';
import { minimumMeasureOfPrimary, readObjectives } from './read-objectives.ts';
import { flagIn, mergedSequencing, readSequencing } from './read-sequencing.ts';

/** The elements and files of a manifest that its items refer to. */
interface Context {
  readonly resources: ReadonlyMap<string, XmlElement>;
  readonly bases: readonly string[];
  /** Sequencing definitions that items share, by id (SCORM 2004 CAM 5.2). */
  readonly sequencings: ReadonlyMap<string, XmlElement>;
  readonly files: Pick<CoursePackage, 'find'>;
  readonly findings: Findings;
  readonly placeOf: PlaceOf;
  /** The identifiers of the items read so far. */
  readonly seen: Set<string>;
}

/** The place of an element of the manifest. */
export type PlaceOf = (element: XmlElement) => Place;

/** Reads the activity tree of an organization. Finds items that refer to a missing resource or file. */
export function readActivities(
  manifest: XmlElement,
  organization: XmlElement,
  title: string,
  {
    files,
    ...found
  }: Pick<Context, 'findings' | 'placeOf'> & { readonly files: Pick<CoursePackage, 'find'> },
): Activity {
  const resources = descend(manifest, 'resources');
  const collection = descend(manifest, 'sequencingcollection');
  const context: Context = {
    resources: byAttribute(childrenOf(resources, 'resource'), 'identifier'),
    bases: [manifest.attributes['base'] ?? '', resources?.attributes['base'] ?? ''],
    sequencings: byAttribute(childrenOf(collection, 'sequencing'), 'id'),
    files,
    ...found,
    seen: new Set(),
  };
  return { ...activityOf(organization, context), title };
}

const byAttribute = (elements: readonly XmlElement[], name: string) =>
  new Map(elements.map((element) => [element.attributes[name] ?? '', element]));

function activityOf(item: XmlElement, context: Context): Activity {
  const id = item.attributes['identifier'] ?? '';
  if (id === '' || context.seen.has(id)) {
    const message = `An item's identifier is missing or not unique: ${id || 'none'}`;
    context.findings.add('item-identifier', message, context.placeOf(item));
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
    ...presentationOf(item),
    ...sharedDataOf(item),
    ...prerequisitesOf(item),
    children: childrenOf(item, 'item').map((child) => activityOf(child, context)),
  };
}

function resourceOf(item: XmlElement, context: Context): Resource | null {
  const reference = item.attributes['identifierref'];
  if (!reference) return null;
  const resource = context.resources.get(reference);
  if (!resource) {
    const message = `The manifest contains no resource ${reference}.`;
    context.findings.add('resource-unknown', message, context.placeOf(item));
    return null;
  }
  const { attributes } = resource;
  if (!attributes['href']) return null;
  try {
    const href = launchHref(
      [...context.bases, attributes['base'] ?? ''],
      attributes['href'],
      item.attributes['parameters'] ?? '',
      context.files,
    );
    return { id: reference, href, type: isSco(attributes['scormtype']) ? 'SCO' : 'ASSET' };
  } catch (error) {
    context.findings.addRefusal(error, context.placeOf(resource));
    return null;
  }
}

function sequencingOf(item: XmlElement, context: Context) {
  const own = descend(item, 'sequencing');
  const applied = mergedSequencing(own, context.sequencings.get(own?.attributes['idref'] ?? ''));
  const weight = descend(item, 'completionthreshold')?.attributes['progressweight'];
  const sequencing = readSequencing(applied, numberIn(weight, 0, 1));
  const limits = descend(applied, 'limitconditions')?.attributes;
  return {
    scaledPassingScore: minimumMeasureOfPrimary(applied),
    maxTimeAllowed:
      textAt(item, 'maxtimeallowed') || limits?.['attemptabsolutedurationlimit'] || '',
    objectives: readObjectives(applied),
    ...(sequencing && { sequencing }),
  };
}

function presentationOf(item: XmlElement): Pick<Activity, 'hiddenControls'> {
  const names = childrenOf(descend(item, 'presentation', 'navigationinterface'), 'hidelmsui').map(
    ({ text }) => text.toLowerCase(),
  );
  const hidden = hiddenControls.filter((control) => names.includes(control.toLowerCase()));
  return hidden.length > 0 ? { hiddenControls: hidden } : {};
}

function sharedDataOf(item: XmlElement): Pick<Activity, 'sharedData'> {
  const maps = childrenOf(descend(item, 'data'), 'map').flatMap(({ attributes }) =>
    attributes['targetid']
      ? {
          target: attributes['targetid'],
          read: flagIn(attributes['readshareddata']) ?? true,
          write: flagIn(attributes['writeshareddata']) ?? true,
        }
      : [],
  );
  return maps.length > 0 ? { sharedData: maps } : {};
}

function prerequisitesOf(item: XmlElement): Pick<Activity, 'prerequisites'> {
  const prerequisites = textAt(item, 'prerequisites');
  return prerequisites === '' ? {} : { prerequisites };
}

/** Reads how a course is sequenced. Undefined if the manifest says nothing about its activities. */
export function courseSequencingOf(
  organization: XmlElement,
  root: Activity,
): CourseSequencing | undefined {
  if (!isSequenced(root)) return undefined;
  const { attributes } = organization;
  return {
    objectivesGlobalToSystem: flagIn(attributes['objectivesglobaltosystem']) ?? true,
    sharedDataGlobalToSystem: flagIn(attributes['shareddataglobaltosystem']) ?? true,
  };
}

const isSequenced = ({ sequencing, children }: Activity): boolean =>
  sequencing !== undefined || children.some(isSequenced);

/** An element with attributes in the 4th edition, with text in the 3rd (SCORM 2004 CAM 3.4.1.12). */
function completionThresholdOf(item: XmlElement): number | null {
  const threshold = descend(item, 'completionthreshold');
  if (!threshold) return null;
  const { completedbymeasure, minprogressmeasure } = threshold.attributes;
  if (completedbymeasure !== undefined || minprogressmeasure !== undefined) {
    return completedbymeasure === 'true' ? (numberIn(minprogressmeasure, 0, 1) ?? 1) : null;
  }
  return numberIn(threshold.text, 0, 1);
}
