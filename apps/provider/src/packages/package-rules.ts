import type { FindingSeverity } from '@registrar/contracts';

interface Rule {
  readonly severity: FindingSeverity;
  /** What an author does about it. */
  readonly remedy: string;
}

const zipAgain = 'Make the zip file again from the files of the course, and upload it completely.';
const exportForScorm = 'Export the course as SCORM 1.2 or SCORM 2004 from the authoring tool.';

/**
 * What is checked in a course package, by the identifiers that clients see. Each has an anchor in
 * docs/course-check.md. What keeps a package from being imported is an error.
 */
export const packageRules = {
  'zip-unreadable': { severity: 'error', remedy: zipAgain },
  'zip-encrypted': { severity: 'error', remedy: 'Make the zip file without a password.' },
  'zip-compression': {
    severity: 'error',
    remedy: 'Make the zip file with the compression method Deflate, which every zip tool has.',
  },
  'zip-path': {
    severity: 'error',
    remedy: 'Give the file a relative path inside the package, without control characters.',
  },
  'zip-special-file': {
    severity: 'error',
    remedy: 'Replace the link by the file that it leads to, and make the zip file again.',
  },
  'zip-duplicate': {
    severity: 'error',
    remedy: 'Make the zip file again, so that it has each path once.',
  },
  'zip-name-encoding': {
    severity: 'warning',
    remedy:
      'Make the zip file with names in UTF-8, or rename the files to ASCII letters and digits.',
  },
  'package-too-large': {
    severity: 'error',
    remedy: 'Divide the course into smaller ones, or host its largest media elsewhere.',
  },
  'package-ratio': {
    severity: 'error',
    remedy: 'Remove files that consist of little but repeated bytes.',
  },
  'package-too-complex': {
    severity: 'error',
    remedy: 'Reduce the items and the sequencing of the manifest, or the size of the package.',
  },
  'manifest-missing': { severity: 'error', remedy: exportForScorm },
  'manifest-in-folder': {
    severity: 'error',
    remedy: 'Zip the content of the folder instead of the folder itself.',
  },
  'standard-unsupported': { severity: 'error', remedy: exportForScorm },
  'manifest-malformed': {
    severity: 'error',
    remedy: 'Correct the XML at this line; an XML editor, or a browser, shows the mistake.',
  },
  'xml-encoding': {
    severity: 'error',
    remedy: 'Save the file in UTF-8, and declare encoding="UTF-8" in its first line.',
  },
  'xml-characters': {
    severity: 'warning',
    remedy: 'Save the file in the encoding that it declares, best in UTF-8.',
  },
  'manifest-too-large': {
    severity: 'error',
    remedy: 'Reduce the items, files, texts and rules of the manifest.',
  },
  'item-identifier': {
    severity: 'error',
    remedy: 'Give each item of the manifest an identifier that no other item has.',
  },
  'resource-unknown': {
    severity: 'error',
    remedy: 'Correct identifierref of the item, or add the resource.',
  },
  'launch-missing': {
    severity: 'error',
    remedy: 'Add the file to the package, or correct href and xml:base in the manifest.',
  },
  'href-outside': {
    severity: 'error',
    remedy: 'Refer to a file inside of the package by a relative path.',
  },
  'nothing-to-launch': {
    severity: 'error',
    remedy: 'Give the manifest an item with identifierref, and its resource an href.',
  },
  'file-missing': {
    severity: 'warning',
    remedy: 'Add the file to the package, or remove it from the manifest.',
  },
  'file-outside': {
    severity: 'warning',
    remedy: 'Put the file into the package, and refer to it by a relative path.',
  },
  'file-case': {
    severity: 'info',
    remedy: 'Write the name in the manifest as the file is named.',
  },
  'file-type': {
    severity: 'warning',
    remedy: 'Replace the file by HTML, JavaScript, or media that browsers play.',
  },
  'system-files': {
    severity: 'info',
    remedy: 'Leave out what the operating system adds when the zip file is made.',
  },
  'default-organization': {
    severity: 'info',
    remedy: 'Name the identifier of an organization in the attribute default of organizations.',
  },
  'no-organization': {
    severity: 'info',
    remedy: 'Add an organization with the items in the order in which learners open them.',
  },
  'several-organizations': {
    severity: 'warning',
    remedy: 'Make a package for each organization.',
  },
  'sub-manifest': {
    severity: 'warning',
    remedy: 'Move the items and resources of the sub-manifest into the manifest.',
  },
  'dependency-unknown': {
    severity: 'warning',
    remedy: 'Correct identifierref of the dependency, or add the resource.',
  },
  'metadata-missing': {
    severity: 'info',
    remedy: 'Add the metadata file to the package, or remove its location from the manifest.',
  },
  prerequisites: {
    severity: 'warning',
    remedy: 'Write an expression such as intro & ~(test) with the identifiers of items.',
  },
  'value-out-of-range': { severity: 'warning', remedy: 'Write a number within the range.' },
  'unknown-value': {
    severity: 'warning',
    remedy: 'Write one of the values of the standard.',
  },
  'launch-parameters': {
    severity: 'warning',
    remedy:
      'Write parameters as ?name=value or #fragment, with other characters percent-encoded, on an item with a resource.',
  },
  'objective-unknown': {
    severity: 'warning',
    remedy: 'Correct referencedObjective, or add the objective to the activity.',
  },
  'sequencing-unknown': {
    severity: 'warning',
    remedy: 'Correct IDRef, or add the sequencing to the sequencingCollection.',
  },
  'time-limits': {
    severity: 'warning',
    remedy: 'Use attemptAbsoluteDurationLimit, or leave the limit to the content.',
  },
  'auxiliary-resources': {
    severity: 'warning',
    remedy: 'Make the resource reachable from the content.',
  },
  'asset-calls-api': {
    severity: 'warning',
    remedy: 'Mark the resource as a SCO: adlcp:scormType="sco", adlcp:scormtype in SCORM 1.2.',
  },
  'no-api-use': {
    severity: 'warning',
    remedy: 'Export the course with SCORM tracking, or mark its resources as assets.',
  },
  'mixed-content': {
    severity: 'warning',
    remedy: 'Put the file into the package, or load it by https.',
  },
  'more-findings': { severity: 'info', remedy: 'Correct these findings first, and check again.' },
} as const satisfies Readonly<Record<string, Rule>>;

export type PackageRule = keyof typeof packageRules;
