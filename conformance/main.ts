import { paragraphs } from './contract.ts';

process.stdout.write(`${paragraphs.length} paragraphs\n`);
