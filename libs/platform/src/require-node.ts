/**
 * Ends the process with one message on a Node that is too old. Every program imports it before anything
 * else, and the rest dynamically: a module that an old Node cannot load would fail first, and without it
 * the program would fail somewhere later, with an error that names something else.
 */
const neededMajor = 24;

if (Number.parseInt(process.versions.node, 10) < neededMajor) {
  const { version, execPath } = process;
  process.stderr.write(
    `Registrar needs Node ${neededMajor} or later, and ${execPath} is ${version}. ` +
      'Run it by npm, which installs one, or install Node from https://nodejs.org\n',
  );
  process.exit(1);
}

export {};
