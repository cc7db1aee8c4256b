import { courseSequencingOf, readActivities } from './read-activities.ts';
import {
  type Activity,
  type CourseStructure,
  isSco,
  launchablesOf,
  type LearningStandard,
} from './course-structure.ts';
import { readMetadata } from './read-metadata.ts';
import { readWarnings } from './read-warnings.ts';
import type { CoursePackage } from './open-package.ts';
import { PackageError } from './package-error.ts';
import { packagePath } from './package-path.ts';
import { childrenOf, descend, parseXml, textAt, type XmlElement, xmlLimits } from './parse-xml.ts';

export const manifestName = 'imsmanifest.xml';
/**
 * Conditions of rollup rules times the children to which they apply, of all groups: what a report evaluates
 * at most.
 */
const maxRollupConditions = 100_000;
/** Characters of the structure as JSON: it is read for every launch and every result. */
const maxStructureLength = 1024 * 1024;

export interface ReadManifest {
  readonly structure: CourseStructure;
  /** What the player does not obey, in sentences. */
  readonly warnings: string[];
}

/**
 * Reads the manifest of a package: SCORM 1.2 (SCORM 1.2 CAM 2.2) or SCORM 2004 (SCORM 2004 CAM 3).
 *
 * @throws {PackageError} if there is no manifest, the standard is unknown, or nothing is launchable
 */
export async function readManifest(coursePackage: CoursePackage): Promise<ReadManifest> {
  const path = coursePackage.find(manifestName) ?? manifestName;
  const bytes = await coursePackage.read(path, xmlLimits.bytes);
  if (!bytes) throw new PackageError(missingManifestMessage(coursePackage));
  const manifest = parseXml(bytes, path);
  if (manifest.name !== 'manifest') {
    throw new PackageError(`${path} is not the manifest of a course package.`);
  }
  const standard = standardOf(manifest);
  const organization = organizationOf(manifest);
  const metadata = readMetadata(
    (await lomOf(manifest, coursePackage)) ?? (await lomOf(organization, coursePackage)),
  );
  const title =
    textAt(organization, 'title') || metadata.title || manifest.attributes['identifier'] || '';
  const root = readActivities(manifest, organization, title, coursePackage);
  if (launchablesOf(root).length === 0) {
    throw new PackageError('The manifest contains nothing that can be launched.');
  }
  const sequencing = standard === 'SCORM12' ? undefined : courseSequencingOf(organization, root);
  const structure = { standard, root, metadata, ...(sequencing && { sequencing }) };
  if (JSON.stringify(structure).length > maxStructureLength) {
    throw new PackageError('The manifest is too large: its course structure cannot be stored.');
  }
  if (rollupConditions(root) > maxRollupConditions) {
    throw new PackageError('The rollup rules of the manifest are too many for its items.');
  }
  const warnings = await readWarnings(manifest, organization, structure, coursePackage);
  return { structure, warnings };
}

const rollupConditions = ({ sequencing, children }: Activity): number => {
  const conditions = sequencing?.rollupRules?.map((rule) => rule.conditions.length) ?? [];
  return children.reduce(
    (sum, child) => sum + rollupConditions(child),
    conditions.reduce((sum, count) => sum + count, 0) * children.length,
  );
};

function missingManifestMessage({ sizes }: CoursePackage): string {
  const deeper = [...sizes.keys()].find((path) => path.toLowerCase().endsWith(`/${manifestName}`));
  return deeper === undefined
    ? `The package contains no ${manifestName}: it is not a SCORM package.`
    : `The package contains ${deeper}, but ${manifestName} must be at its root.`;
}

/**
 * Reads the standard from the schema version. SCORM 1.2 has no vocabulary for it, so that the
 * namespaces of the manifest decide where it is not known.
 */
function standardOf(manifest: XmlElement): LearningStandard {
  const version = textAt(manifest, 'metadata', 'schemaversion');
  if (/^(?:(?:ADL )?SCORM )?1\.2$/i.test(version)) return 'SCORM12';
  if (/2004 4th/i.test(version)) return 'SCORM20044THEDITION';
  if (/2004 3rd/i.test(version)) return 'SCORM20043RDEDITION';
  if (/^(?:CAM )?1\.3$|2004/i.test(version)) return 'SCORM20042NDEDITION';
  const namespaces = Object.values(manifest.attributes).join(' ');
  if (namespaces.includes('adlcp_rootv1p2')) return 'SCORM12';
  if (namespaces.includes('adlcp_v1p3')) return 'SCORM20043RDEDITION';
  throw new PackageError(
    `The SCORM version of the manifest is not supported: ${version || 'none'}. Supported are SCORM 1.2 and SCORM 2004.`,
  );
}

/** The default organization, or the first one. Without any, the resources are the items. */
function organizationOf(manifest: XmlElement): XmlElement {
  const organizations = descend(manifest, 'organizations');
  const all = childrenOf(organizations, 'organization');
  const chosen = organizations?.attributes['default'];
  return (
    all.find(({ attributes }) => attributes['identifier'] === chosen) ??
    all[0] ??
    organizationOfResources(manifest)
  );
}

/** Makes an organization with an item for each SCO, or for each resource if there is no SCO. */
function organizationOfResources(manifest: XmlElement): XmlElement {
  const resources = childrenOf(descend(manifest, 'resources'), 'resource').filter(
    ({ attributes }) => attributes['href'],
  );
  const scos = resources.filter(({ attributes }) => isSco(attributes['scormtype']));
  const items = (scos.length > 0 ? scos : resources).map(({ attributes }) => {
    const identifier = attributes['identifier'] ?? '';
    return element('item', { identifier, identifierref: identifier });
  });
  // With a space, so that it differs from the identifier of every resource.
  return element('organization', { identifier: 'default organization' }, items);
}

const element = (
  name: string,
  attributes: XmlElement['attributes'],
  children: readonly XmlElement[] = [],
): XmlElement => ({ name, attributes, children, text: '' });

/** The metadata of an element, inline or in a file that it refers to. */
async function lomOf(
  element: XmlElement,
  coursePackage: CoursePackage,
): Promise<XmlElement | undefined> {
  const metadata = descend(element, 'metadata');
  const inside = descend(metadata, 'lom');
  const location = textAt(metadata, 'location');
  if (inside || location === '') return inside;
  const path = packagePath(location);
  const bytes = await coursePackage.read(coursePackage.find(path) ?? path, xmlLimits.bytes);
  return bytes ? parseXml(bytes, path) : undefined;
}
