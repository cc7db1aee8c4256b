#!/usr/bin/env node
// npm links only commands that exist when it installs, and the program itself is built later.
import { existsSync } from 'node:fs';
import process from 'node:process';
import { URL } from 'node:url';

const program = new URL('../dist/main.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write(
    'sample-course: the programs are not built: run npm start or npm run build\n',
  );
  process.exitCode = 1;
}
