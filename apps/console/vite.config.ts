import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const [brotliOf, gzipOf] = [promisify(brotliCompress), promisify(gzip)];

/** Writes `.br` and `.gz` files beside the scripts and styles, which the server sends as they are. */
const precompress = (): Plugin => ({
  name: 'precompress',
  async writeBundle({ dir = '' }, bundle) {
    const names = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name));
    await Promise.all(
      names.map(async (name) => {
        const content = await readFile(join(dir, name));
        await writeFile(join(dir, `${name}.br`), await brotliOf(content));
        await writeFile(join(dir, `${name}.gz`), await gzipOf(content, { level: 9 }));
      }),
    );
  },
});

export default defineConfig({
  root: join(import.meta.dirname, 'client'),
  // The server replaces __BASE__ and __NONCE__ in index.html; everything else is relative.
  base: './',
  html: { cspNonce: '__NONCE__' },
  plugins: [react(), precompress()],
  build: {
    outDir: join(import.meta.dirname, 'dist/client'),
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows no data: addresses for scripts, styles and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // The router needs the routes of all pages: one file of them compresses better than one for each.
        codeSplitting: { groups: [{ name: 'routes', test: /-routes?\.ts$/ }] },
      },
    },
    manifest: true,
  },
});
