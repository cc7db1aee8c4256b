import { readActivities } from './activities.ts';
import { type CourseStructure, launchablesOf, type LearningStandard } from './course-structure.ts';
import { readMetadata } from './learning-metadata.ts';
import type { CoursePackage } from './open-package.ts';
import { PackageError } from './package-error.ts';
import { packagePath } from './package-path.ts';
import { childrenOf, descend, parseXml, textAt, type XmlElement } from './xml.ts';

const manifestName = 'imsmanifest.xml';
const manifestBytes = 4 * 1024 * 1024;
/** What is kept of a manifest is read with every launch and result: characters as JSON. */
const structureLength = 1024 * 1024;

/**
 * Reads what a package says about itself: SCORM 1.2 (CAM 2.2) or SCORM 2004 (CAM 3).
 *
 * @throws {PackageError} when it has no manifest, another standard, or nothing to launch
 */
export async function readManifest(coursePackage: CoursePackage): Promise<CourseStructure> {
  const bytes = await coursePackage.read(manifestName, manifestBytes);
  if (!bytes) throw new PackageError(noManifest(coursePackage));
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
    throw new PackageError('The manifest holds nothing that can be launched.');
  }
  const structure = { standard, root, metadata };
  if (JSON.stringify(structure).length > structureLength) {
    throw new PackageError('The manifest describes more than can be kept of it.');
  }
  return structure;
}

function noManifest({ sizes }: CoursePackage): string {
  const deeper = [...sizes.keys()].find((path) => path.endsWith(`/${manifestName}`));
  return deeper === undefined
    ? `The package holds no ${manifestName}: it is not a SCORM package.`
    : `The package holds ${deeper}, but ${manifestName} must stand at the top.`;
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
    `The manifest names no version of SCORM that is known here: ${version || 'none'}. SCORM 1.2 and SCORM 2004 are.`,
  );
}

function organizationOf(manifest: XmlElement): XmlElement {
  const organizations = descend(manifest, 'organizations');
  const all = childrenOf(organizations, 'organization');
  const chosen = organizations?.attributes['default'];
  const organization =
    all.find(({ attributes }) => attributes['identifier'] === chosen) ?? all.at(0);
  if (!organization) throw new PackageError('The manifest holds nothing that can be launched.');
  return organization;
}

/** Metadata stand in the manifest or in a file that it names. */
async function lomOf(
  element: XmlElement,
  coursePackage: CoursePackage,
): Promise<XmlElement | undefined> {
  const metadata = descend(element, 'metadata');
  const inside = descend(metadata, 'lom');
  const location = textAt(metadata, 'location');
  if (inside || location === '') return inside;
  const path = packagePath(location);
  const bytes = await coursePackage.read(path, manifestBytes);
  return bytes ? parseXml(bytes, path) : undefined;
}
