import { buildSamplePackage, sampleCourseNames } from './build-sample-package.ts';

/** `npx sample-course NAME > FILE.zip` writes the package of a sample course to standard output. */
const name = sampleCourseNames.find((each) => each === process.argv[2]);
if (name && !process.stdout.isTTY) {
  process.stdout.write(await buildSamplePackage(name));
} else {
  process.stderr.write(
    `Usage: sample-course NAME > FILE.zip, where NAME is ${sampleCourseNames.join(' or ')}\n`,
  );
  process.exitCode = 2;
}
