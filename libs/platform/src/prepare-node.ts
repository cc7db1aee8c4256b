/**
 * Prepares the process: ends it with one message on a Node that is too old, and lets stacks name the sources. Every
 * program imports this module before anything else, and the rest dynamically: a module that an old Node cannot load
 * would fail first, and without the message the program would fail somewhere later, with an error that names something
 * else.
 */
import module from 'node:module';

const neededMajor = 24;

if (Number.parseInt(process.versions.node, 10) < neededMajor) {
  const { version, execPath } = process;
  process.stderr.write(
    `Registrar needs Node ${neededMajor} or later, and ${execPath} is ${version}. ` +
      'Run it by npm, which installs one, or install Node from https://nodejs.org\n',
  );
  process.exit(1);
}

// Not by `--enable-source-maps`, which reads the source maps of packages too: 20 MB of memory, and a sixth of a start.
module.setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
