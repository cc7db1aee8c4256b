import { buildPackage } from '@registrar/sample-courses';
import type { FrameLocator, Page } from 'playwright-core';

/** A way in which real content reports, as a small course of one part, and the learner's part in it. */
export interface ContentHabit {
  readonly name: string;
  readonly version: '1.2' | '2004 4th Edition';
  /** The script of the content, which has {@link prelude}. */
  readonly script: string;
  /** Other pages of the package by name: their scripts. */
  readonly pages?: Readonly<Record<string, string>>;
  /** How the learner works and leaves. Resolves when the learner is back, or the window is closed. */
  readonly leave: (window: LearnerWindow) => Promise<void>;
  /** The learner closes the tab: the browser may deliver the last report after it has gone. */
  readonly closesTab?: true;
  /** The learner leaves once, suspended, and comes back in a second launch. */
  readonly resumes?: true;
}

/** A course window, as a learner sees it. */
export interface LearnerWindow {
  readonly page: Page;
  readonly content: FrameLocator;
  /** Waits until the browser is at the redirect URL. */
  back(): Promise<void>;
}

/** What all content has: how it finds the API object, sets its result and ends its session. */
const prelude = `
  const find = (name, from) => {
    for (let at = from, level = 0; level < 10; level += 1, at = at.parent) {
      if (at[name]) return at[name];
      if (at === at.parent) return at.opener ? find(name, at.opener) : null;
    }
    return null;
  };
  const old = find('API', window);
  const api = old
    ? { start: () => old.LMSInitialize(''), set: (n, v) => old.LMSSetValue('cmi.' + n, v),
        get: (n) => old.LMSGetValue('cmi.' + n), commit: () => old.LMSCommit(''),
        end: () => old.LMSFinish('') }
    : ((now) => ({ start: () => now.Initialize(''), set: (n, v) => now.SetValue('cmi.' + n, v),
        get: (n) => now.GetValue('cmi.' + n), commit: () => now.Commit(''),
        end: () => now.Terminate('') }))(find('API_1484_11', window));
  const setResult = () => {
    if (old) {
      api.set('core.score.min', '0');
      api.set('core.score.max', '100');
      api.set('core.score.raw', '80');
      api.set('core.session_time', '0000:00:30.00');
      api.set('core.lesson_status', 'passed');
    } else {
      api.set('score.scaled', '0.8');
      api.set('session_time', 'PT30S');
      api.set('success_status', 'passed');
      api.set('completion_status', 'completed');
    }
  };
  const onClick = (work) => {
    const button = document.createElement('button');
    button.textContent = 'Answer';
    button.onclick = work;
    document.body.append(button);
  };
`;

const answer = ({ content }: LearnerWindow) => content.getByRole('button').click();
const closeTab = ({ page }: LearnerWindow) =>
  Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })]);
const answerAndCloseTab = async (window: LearnerWindow) => {
  await answer(window);
  await closeTab(window);
};
const answerAndGoBack = async (window: LearnerWindow) => {
  await answer(window);
  await window.back();
};

export const contentHabits: readonly ContentHabit[] = [
  {
    name: 'finishes after the last answer',
    version: '1.2',
    script: `api.start(); onClick(() => { setResult(); api.commit(); api.end(); });`,
    leave: answerAndGoBack,
  },
  {
    name: 'terminates without a commit',
    version: '2004 4th Edition',
    script: `api.start(); onClick(() => { setResult(); api.end(); });`,
    leave: answerAndGoBack,
  },
  {
    name: 'commits and never finishes',
    version: '1.2',
    script: `api.start(); onClick(() => { setResult(); api.commit(); });`,
    leave: answerAndCloseTab,
    closesTab: true,
  },
  {
    name: 'neither commits nor terminates',
    version: '2004 4th Edition',
    script: `api.start(); onClick(() => setResult());`,
    leave: answerAndCloseTab,
    closesTab: true,
  },
  {
    name: 'finishes in unload',
    version: '1.2',
    script: `api.start(); onClick(() => setResult());
      window.addEventListener('unload', () => api.end());`,
    leave: answerAndCloseTab,
    closesTab: true,
  },
  {
    name: 'sets its result in pagehide, with large suspend data',
    version: '2004 4th Edition',
    script: `api.start(); onClick(() => api.commit());
      window.addEventListener('pagehide', () => {
        api.set('suspend_data', '"page"'.repeat(10500));
        setResult();
        api.end();
      });`,
    leave: answerAndCloseTab,
    closesTab: true,
  },
  {
    name: 'is left by the Exit button of the player',
    version: '1.2',
    script: `api.start(); onClick(() => setResult());
      window.addEventListener('unload', () => api.end());`,
    leave: async (window) => {
      await answer(window);
      await window.page.getByRole('button', { name: 'Exit' }).click();
      await window.back();
    },
  },
  {
    name: 'has frames of its own',
    version: '1.2',
    script: `const frame = document.createElement('iframe');
      frame.src = 'inner.html';
      document.body.append(frame);`,
    pages: { inner: `api.start(); onClick(() => { setResult(); api.end(); });` },
    leave: async (window) => {
      await window.content.frameLocator('iframe').getByRole('button').click();
      await window.back();
    },
  },
  {
    name: 'opens a window of its own',
    version: '2004 4th Edition',
    script: `onClick(() => window.open('inner.html'));`,
    pages: {
      inner: `api.start(); onClick(() => { setResult(); api.end(); window.close(); });`,
    },
    leave: async (window) => {
      const opened = window.page.waitForEvent('popup');
      await answer(window);
      const popup = await opened;
      await popup.getByRole('button').click();
      await window.back();
    },
  },
  {
    name: 'suspends, and finishes in a second launch',
    version: '1.2',
    script: `api.start();
      const again = api.get('suspend_data') === 'half';
      onClick(() => {
        if (again) setResult();
        else api.set('suspend_data', 'half');
        api.set('core.exit', again ? '' : 'suspend');
        api.end();
      });`,
    leave: answerAndGoBack,
    resumes: true,
  },
];

/** Builds the package of a habit. */
export function habitPackage({ version, script, pages = {} }: ContentHabit): Promise<Buffer> {
  const html = (text: string) =>
    `<!doctype html><title>Part</title><body><script>${prelude}${text}</script>`;
  const isOld = version === '1.2';
  const manifest = `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="habit"
  xmlns="${isOld ? 'http://www.imsproject.org/xsd/imscp_rootv1p1p2' : 'http://www.imsglobal.org/xsd/imscp_v1p1'}"
  xmlns:adlcp="${isOld ? 'http://www.adlnet.org/xsd/adlcp_rootv1p2' : 'http://www.adlnet.org/xsd/adlcp_v1p3'}">
  <metadata><schema>ADL SCORM</schema><schemaversion>${version}</schemaversion></metadata>
  <organizations default="course"><organization identifier="course"><title>Habit</title>
    <item identifier="part" identifierref="files"><title>Part</title></item>
  </organization></organizations>
  <resources>
    <resource identifier="files" type="webcontent" href="index.html"
      ${isOld ? 'adlcp:scormtype' : 'adlcp:scormType'}="sco"/>
  </resources>
</manifest>`;
  return buildPackage({
    'imsmanifest.xml': manifest,
    'index.html': html(script),
    ...Object.fromEntries(
      Object.entries(pages).map(([name, text]) => [`${name}.html`, html(text)]),
    ),
  });
}
