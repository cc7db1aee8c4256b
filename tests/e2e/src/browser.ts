import { chromiumArguments } from '@registrar/testing';
import { type Browser, chromium } from 'playwright-core';

/** Opens a headless Chromium that plays courses as a learner. */
export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: chromiumArguments });
