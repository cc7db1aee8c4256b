import { readFile } from 'node:fs/promises';

/** A shell block of a page of the documentation. */
export interface DocumentedBlock {
  readonly commands: string;
  /** The name of the `<!-- example -->` mark around it; null if it has none. */
  readonly example: string | null;
  /** The response that the page shows below it; null if it shows none. */
  readonly shown: string | null;
}

const block =
  /(?:<!-- example: ([\w-]+) -->\n\n)?^```sh\n([^]*?)\n```$(?:\n\n```(?:json|csv|xml)\n([^]*?)\n```$)?/gm;

/** Reads the shell blocks of a page, in order. */
export async function readDocumentedBlocks(page: string): Promise<DocumentedBlock[]> {
  const text = await readDocument(page);
  return [...text.matchAll(block)].map(([, example, commands = '', shown]) => ({
    commands,
    example: example ?? null,
    shown: example ? (shown ?? null) : null,
  }));
}

/** Reads a page, named by its path from the root of the repository. */
export const readDocument = (page: string): Promise<string> =>
  readFile(new URL(`../../../${page}`, import.meta.url), 'utf8');
