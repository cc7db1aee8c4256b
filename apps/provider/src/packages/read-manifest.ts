import { courseSequencingOf, type PlaceOf, readActivities } from './read-activities.ts';
import {
  type Activity,
  type CourseStructure,
  isSco,
  launchablesOf,
  type LearningStandard,
} from './course-structure.ts';
import { readMetadata } from './read-metadata.ts';
import { checkContent } from './check-content.ts';
import { checkManifest } from './check-manifest.ts';
import type { Findings } from './findings.ts';
import type { CoursePackage } from './open-package.ts';
import { type PackageError, refusal } from './package-error.ts';
import { hrefOfManifest, packagePath } from './package-path.ts';
import { unsupportedStandard } from './unsupported-standard.ts';
import { childrenOf, descend, parseXml, textAt, type XmlElement, xmlLimits } from './parse-xml.ts';

export const manifestName = 'imsmanifest.xml';
/**
 * Conditions of rollup rules times the children to which they apply, of all groups: what a report evaluates
 * at most.
 */
const maxRollupConditions = 100_000;
/** Characters of the structure as JSON: it is read for every launch and every result. */
const maxStructureLength = 1024 * 1024;

/**
 * Reads the manifest of a package: SCORM 1.2 (SCORM 1.2 CAM 2.2) or SCORM 2004 (SCORM 2004 CAM 3). What it finds beside
 * what keeps the package from being imported are the mistakes that learners would notice.
 *
 * @throws {PackageError} if there is no manifest, the standard is unknown, nothing is launchable, or a part that the
 * course needs is missing
 */
export async function readManifest(
  coursePackage: CoursePackage,
  findings: Findings,
): Promise<CourseStructure> {
  const path = coursePackage.find(manifestName) ?? manifestName;
  const bytes = await coursePackage.read(path, xmlLimits.bytes);
  if (!bytes) throw missingManifest(coursePackage);
  const manifest = parseXml(bytes, path, findings);
  const placeOf = ({ line }: XmlElement) => ({ file: path, line });
  if (manifest.name !== 'manifest') {
    const message = `${path} is not the manifest of a course package.`;
    throw refusal('standard-unsupported', message, placeOf(manifest));
  }
  const standard = standardOf(manifest, placeOf);
  const organization = organizationOf(manifest);
  const metadata = readMetadata(
    (await lomOf(manifest, { coursePackage, findings, placeOf })) ??
      (await lomOf(organization, { coursePackage, findings, placeOf })),
  );
  const title =
    textAt(organization, 'title') || metadata.title || manifest.attributes['identifier'] || '';
  const found = { files: coursePackage, findings, placeOf };
  const root = readActivities(manifest, organization, title, found);
  checkManifest(manifest, organization, found);
  if (launchablesOf(root).length === 0 && !findings.hasErrors) {
    const message = 'The manifest contains nothing that can be launched.';
    findings.add('nothing-to-launch', message, placeOf(manifest));
  }
  const sequencing = standard === 'SCORM12' ? undefined : courseSequencingOf(organization, root);
  const structure = { standard, root, metadata, ...(sequencing && { sequencing }) };
  if (JSON.stringify(structure).length > maxStructureLength) {
    const message = 'The manifest is too large: its course structure cannot be stored.';
    findings.add('manifest-too-large', message, placeOf(manifest));
  }
  if (rollupConditions(root) > maxRollupConditions) {
    const message = 'The rollup rules of the manifest are too many for its items.';
    findings.add('manifest-too-large', message, placeOf(manifest));
  }
  await checkContent(structure, coursePackage, findings);
  findings.assertNoErrors();
  return structure;
}

const rollupConditions = ({ sequencing, children }: Activity): number => {
  const conditions = sequencing?.rollupRules?.map((rule) => rule.conditions.length) ?? [];
  return children.reduce(
    (sum, child) => sum + rollupConditions(child),
    conditions.reduce((sum, count) => sum + count, 0) * children.length,
  );
};

function missingManifest({ sizes }: CoursePackage): PackageError {
  const paths = [...sizes.keys()];
  const deeper = paths.find((path) => path.toLowerCase().endsWith(`/${manifestName}`));
  if (deeper !== undefined) {
    const message = `The package contains ${deeper}, but ${manifestName} must be at its root.`;
    return refusal('manifest-in-folder', message, { file: deeper });
  }
  const other = unsupportedStandard(paths);
  return other
    ? refusal('standard-unsupported', `The package is ${other.name}, and no SCORM package.`, other)
    : refusal(
        'manifest-missing',
        `The package contains no ${manifestName}: it is not a SCORM package.`,
      );
}

/**
 * Reads the standard from the schema version. SCORM 1.2 has no vocabulary for it, so that the
 * namespaces of the manifest decide where it is not known.
 */
function standardOf(manifest: XmlElement, placeOf: PlaceOf): LearningStandard {
  const element = descend(manifest, 'metadata', 'schemaversion');
  const version = element?.text ?? '';
  if (/^(?:(?:ADL )?SCORM )?1\.2$/i.test(version)) return 'SCORM12';
  if (/2004 4th/i.test(version)) return 'SCORM20044THEDITION';
  if (/2004 3rd/i.test(version)) return 'SCORM20043RDEDITION';
  if (/^(?:CAM )?1\.3$|2004/i.test(version)) return 'SCORM20042NDEDITION';
  const namespaces = Object.values(manifest.attributes).join(' ');
  if (namespaces.includes('adlcp_rootv1p2')) return 'SCORM12';
  if (namespaces.includes('adlcp_v1p3')) return 'SCORM20043RDEDITION';
  throw refusal(
    'standard-unsupported',
    `The SCORM version of the manifest is not supported: ${version || 'none'}. Supported are SCORM 1.2 and SCORM 2004.`,
    placeOf(element ?? manifest),
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
  const made = { children: [], text: '', line: manifest.line };
  const items = (scos.length > 0 ? scos : resources).map(({ attributes }) => {
    const identifier = attributes['identifier'] ?? '';
    return { ...made, name: 'item', attributes: { identifier, identifierref: identifier } };
  });
  // With a space, so that it differs from the identifier of every resource.
  const attributes = { identifier: 'default organization' };
  return { ...made, name: 'organization', attributes, children: items };
}

/** The metadata of an element, inline or in a file that it refers to. */
async function lomOf(
  element: XmlElement,
  {
    coursePackage,
    findings,
    placeOf,
  }: {
    readonly coursePackage: CoursePackage;
    readonly findings: Findings;
    readonly placeOf: PlaceOf;
  },
): Promise<XmlElement | undefined> {
  const metadata = descend(element, 'metadata');
  const inside = descend(metadata, 'lom');
  const location = descend(metadata, 'location');
  if (inside || !location || location.text === '') return inside;
  try {
    const path = packagePath(location.text, hrefOfManifest);
    const bytes = await coursePackage.read(coursePackage.find(path) ?? path, xmlLimits.bytes);
    if (bytes) return parseXml(bytes, path, findings);
    const message = `The manifest refers to the metadata ${path}, which the package does not contain.`;
    findings.add('metadata-missing', message, placeOf(location));
  } catch (error) {
    findings.addRefusal(error, placeOf(location));
  }
  return undefined;
}
