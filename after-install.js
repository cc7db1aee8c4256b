// npm warns about the Node that it runs on itself; Registrar runs on the one that npm installs.
import { readFileSync, rmSync } from 'node:fs';
import process from 'node:process';
import { URL } from 'node:url';

const neededMajor = 24;
/** With this one and newer ones npm has nothing to warn about: [major, minor]. */
const quietVersion = [22, 15];

const npmsNode = /\bnode\/v(\d+)\.(\d+)\.(\d+)/.exec(process.env.npm_config_user_agent ?? '');
const [major, minor] = (npmsNode ?? []).slice(1).map(Number);
const warned = major < quietVersion[0] || (major === quietVersion[0] && minor < quietVersion[1]);

if (Number.parseInt(process.versions.node, 10) < neededMajor) {
  process.stdout.write(
    `Registrar needs Node ${neededMajor}, and npm has installed none for this system: install it from https://nodejs.org\n`,
  );
} else if (warned) {
  process.stdout.write(
    `Warnings of npm about unsupported engines concern the Node ${npmsNode?.slice(1).join('.')} that npm runs on. ` +
      `Registrar runs on the Node ${process.versions.node} that was installed with it: npm start\n`,
  );
}

// Node's headers, 61 MB, are for building native addons, of which Registrar has none.
const { optionalDependencies } = JSON.parse(
  readFileSync(new URL('./package.json', import.meta.url), 'utf8'),
);
for (const name of Object.keys(optionalDependencies)) {
  const headers = new URL(`./node_modules/${name}/include/node/`, import.meta.url);
  rmSync(headers, { recursive: true, force: true });
}
