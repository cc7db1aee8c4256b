import { chromiumArguments } from '#libs/testing';
import { type Browser, chromium } from 'playwright-core';

/** A learner's browser: Debian's Chromium, headless. */
export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: chromiumArguments });
