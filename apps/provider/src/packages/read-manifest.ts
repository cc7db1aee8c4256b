import { readActivities } from './read-activities.ts';
import { type CourseStructure, launchablesOf, type LearningStandard } from './course-structure.ts';
import { readMetadata } from './read-metadata.ts';
import type { CoursePackage } from './open-package.ts';
import { PackageError } from './package-error.ts';
import { packagePath } from './package-path.ts';
import { childrenOf, descend, parseXml, textAt, type XmlElement } from './parse-xml.ts';

const manifestName = 'imsmanifest.xml';
const maxManifestBytes = 4 * 1024 * 1024;
/** Characters of the structure as JSON: it is read for every launch and every result. */
const maxStructureLength = 1024 * 1024;

/**
 * Reads the manifest of a package: SCORM 1.2 (SCORM 1.2 CAM 2.2) or SCORM 2004 (SCORM 2004 CAM 3).
 *
 * @throws {PackageError} if there is no manifest, the standard is unknown, or nothing is launchable
 */
export async function readManifest(coursePackage: CoursePackage): Promise<CourseStructure> {
  const bytes = await coursePackage.read(manifestName, maxManifestBytes);
  if (!bytes) throw new PackageError(missingManifestMessage(coursePackage));
  const manifest = parseXml(bytes, manifestName);
  if (manifest.name !== 'manifest') {
    throw new PackageError(`${manifestName} is not the manifest of a course package.`);
  }
  const standard = standardOf(manifest);
  const organization = organizationOf(manifest);
  const metadata = readMetadata(
    (await lomOf(manifest, coursePackage)) ?? (await lomOf(organization, coursePackage)),
  );
  const title =
    textAt(organization, 'title') || metadata.title || manifest.attributes['identifier'] || '';
  const root = readActivities(manifest, organization, title, coursePackage.sizes);
  if (launchablesOf(root).length === 0) {
    throw new PackageError('The manifest contains nothing that can be launched.');
  }
  const structure = { standard, root, metadata };
  if (JSON.stringify(structure).length > maxStructureLength) {
    throw new PackageError('The manifest is too large: its course structure cannot be stored.');
  }
  return structure;
}

function missingManifestMessage({ sizes }: CoursePackage): string {
  const deeper = [...sizes.keys()].find((path) => path.endsWith(`/${manifestName}`));
  return deeper === undefined
    ? `The package contains no ${manifestName}: it is not a SCORM package.`
    : `The package contains ${deeper}, but ${manifestName} must be at its root.`;
}

function standardOf(manifest: XmlElement): LearningStandard {
  const version = textAt(manifest, 'metadata', 'schemaversion');
  if (version === '1.2') return 'SCORM12';
  if (/2004 4th/i.test(version)) return 'SCORM20044THEDITION';
  if (/2004 3rd/i.test(version)) return 'SCORM20043RDEDITION';
  if (/^CAM 1\.3$|2004/i.test(version)) return 'SCORM20042NDEDITION';
  const namespaces = Object.values(manifest.attributes).join(' ');
  if (version === '' && namespaces.includes('adlcp_rootv1p2')) return 'SCORM12';
  if (version === '' && namespaces.includes('adlcp_v1p3')) return 'SCORM20043RDEDITION';
  throw new PackageError(
    `The SCORM version of the manifest is not supported: ${version || 'none'}. Supported are SCORM 1.2 and SCORM 2004.`,
  );
}

function organizationOf(manifest: XmlElement): XmlElement {
  const organizations = descend(manifest, 'organizations');
  const all = childrenOf(organizations, 'organization');
  const chosen = organizations?.attributes['default'];
  const organization =
    all.find(({ attributes }) => attributes['identifier'] === chosen) ?? all.at(0);
  if (!organization) throw new PackageError('The manifest contains nothing that can be launched.');
  return organization;
}

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
  const bytes = await coursePackage.read(path, maxManifestBytes);
  return bytes ? parseXml(bytes, path) : undefined;
}
