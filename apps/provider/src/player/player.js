import { showContents } from './contents.js';
import { endings, showNotice } from './notice.js';
import { post } from './post.js';
import { Reports } from './reports.js';
import { makeRunTime } from './run-time.js';

/** Interval at which the time in the course is saved if nothing else changes. */
const heartbeatMs = 60_000;

const element = (id) => document.getElementById(id);
const exitButton = element('exit');

/**
 * @typedef {object} Part an opened part of the course
 * @property {HTMLIFrameElement} frame
 * @property {Reports | null} reports null in a review
 * @property {() => boolean} isRunning whether its session has not ended yet
 * @property {() => void} install makes the API object available to its content
 * @property {() => void} uninstall removes the API object
 */

/** The open part. @type {Part | null} */
let current = null;
/** Settles when the open part has been closed. @type {Promise<void> | null} */
let closing = null;
/** The number of the latest navigation by the learner or the content, which cancels earlier ones. */
let navigation = 0;

/** Where the learner goes after the course; null for a page of the player. */
let redirectUrl = null;
const course = await readCourse();
redirectUrl = course.redirectUrl;
const titles = new Map();
const collectTitles = (items) => {
  for (const { id, title, children } of items) {
    titles.set(id, title);
    collectTitles(children);
  }
};
collectTitles(course.outline);
const contents = showContents(element('contents'), course.outline, (id) => void open(id));

document.title = course.title;
element('title').textContent = course.title;
element('contents').hidden = course.activities.length < 2;
contents.showStandings(course.standings);
if (!course.tracking) element('saving').textContent = 'Review: nothing is recorded';
exitButton.hidden = false;
exitButton.addEventListener('click', () => void exit());
if (course.start !== null) void open(course.start);

async function readCourse() {
  const response = await fetch(new URL('course', document.baseURI));
  if (response.ok) return response.json();
  stop(response.status);
  throw new Error(`the course cannot be read: status ${response.status}`);
}

/** Closes the open part and opens another. */
async function open(activityId) {
  const thisNavigation = (navigation += 1);
  showMessage('');
  contents.showCurrent(activityId);
  try {
    await close();
    if (thisNavigation !== navigation) return;
    const { response: opening } = post('openings', JSON.stringify({ activityId }));
    const response = await opening;
    if (!response.ok) return stop(response.status);
    const part = await prepare(activityId, await response.json());
    if (thisNavigation !== navigation) return;
    current = part;
    part.install();
    element('stage').replaceChildren(part.frame);
    part.frame.focus();
    void part.reports?.sendNow();
  } catch {
    showMessage(
      'The course cannot be reached. Check your connection, then load this page again.',
      true,
    );
  }
}

/** Closes the open part: unloads its content and saves the data that it sets while unloading. */
function close() {
  if (!current) return Promise.resolve();
  closing ??= end(current).finally(() => (closing = null));
  // Repeated on each attempt, because the learner may have answered "stay" to the content's prompt.
  current.frame.contentWindow.location.replace('about:blank');
  return closing;
}

async function end(part) {
  await new Promise((resolve) => part.frame.addEventListener('load', resolve, { once: true }));
  part.uninstall();
  await part.reports?.sendNow();
  part.reports?.stop();
  part.frame.remove();
  current = null;
}

/** @returns {Promise<Part>} */
async function prepare(activityId, { href, usesApi, runtime, seconds, sitting }) {
  const thisNavigation = navigation;
  const startedAt = performance.now();
  let stoppedAt = null;
  // The session of an asset ends as soon as it is shown, unless its content initializes one.
  let isInSession = usesApi;
  const read = () => ({
    runtime: isInSession ? runTime.data() : {},
    seconds: seconds + ((stoppedAt ?? performance.now()) - startedAt) / 1000,
    ended: !isInSession || runTime.ended(),
  });
  const callbacks = { saved: showSaved, delayed: showDelayed, rejected: stop };
  const reports = course.tracking ? new Reports({ activityId, sitting }, read, callbacks) : null;
  const index = course.activities.indexOf(activityId);
  const neighbors = { next: course.activities[index + 1], previous: course.activities[index - 1] };
  const runTime = await makeRunTime(course.standard, runtime, neighbors, course.activities, {
    initialized: () => (isInSession = true),
    changed: () => reports?.schedule(),
    committed: () => void reports?.sendNow(),
    ended: (request) => {
      stoppedAt ??= performance.now();
      void reports?.sendNow();
      // After the content's call has returned, and only if the learner has not navigated away.
      queueMicrotask(() => thisNavigation === navigation && follow(request, neighbors));
    },
  });
  const frame = document.createElement('iframe');
  frame.title = titles.get(activityId) ?? course.title;
  frame.allow = 'autoplay; fullscreen; encrypted-media; picture-in-picture';
  frame.src = new URL(course.content + href, document.baseURI).href;
  return {
    frame,
    reports,
    isRunning: () => stoppedAt === null,
    install: runTime.install,
    uninstall: runTime.uninstall,
  };
}

/** Follows the navigation request with which content ended its session. */
function follow(request, { next, previous }) {
  switch (request?.command) {
    case 'continue':
      if (next !== undefined) return void open(next);
      break;
    case 'previous':
      if (previous !== undefined) return void open(previous);
      break;
    case 'choice':
    case 'jump':
      if (course.activities.includes(request.target)) return void open(request.target);
      break;
    case 'exitAll':
    case 'abandonAll':
    case 'suspendAll':
      return void exit();
  }
  if (course.activities.length === 1) return void exit();
  showMessage('This part has ended. Choose another one, or leave the course with Exit.');
}

/** Saves, ends the course window and goes to the redirect URL, or shows how the course ended. */
async function exit() {
  const thisNavigation = (navigation += 1);
  exitButton.disabled = true;
  try {
    await close();
    if (thisNavigation !== navigation) return;
    const response = await post('exit', '{}').response;
    if (!response.ok) return stop(response.status);
    const { redirectUrl, outcome } = await response.json();
    if (redirectUrl === null) showNotice(endings[outcome], null);
    else location.replace(redirectUrl);
  } catch {
    exitButton.disabled = false;
    showMessage('The course cannot be reached. Check your connection and try again.', true);
  }
}

function showSaved(standings, isAll) {
  if (isAll) showSaving('Saved');
  contents.showStandings({ ...course.standings, ...standings });
}

function showDelayed() {
  showSaving('Not saved yet. Trying again…');
}

/** Changes the text only if it differs, because screen readers announce every change. */
function showSaving(text) {
  const saving = element('saving');
  if (saving && saving.textContent !== text) saving.textContent = text;
}

/** Ends the window after the provider rejected a request: further work could not be saved. */
function stop(status) {
  navigation += 1;
  current?.reports?.stop();
  current = null;
  const isOpenElsewhere = status === 409;
  const text = isOpenElsewhere
    ? 'The course was opened again, or was left, in another window. Go on there, or open it again.'
    : 'Nothing more can be saved here. Open the course again where you found it.';
  showNotice({ title: 'This window has ended', text }, redirectUrl);
}

function showMessage(text, isError = false) {
  const message = element('message');
  message.hidden = text === '';
  message.textContent = text;
  message.classList.toggle('error', isError);
}

setInterval(() => current?.isRunning() && void current.reports?.sendNow(), heartbeatMs);
window.addEventListener('beforeunload', (event) => {
  if (current?.reports?.prepareToLeave()) event.preventDefault();
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void current?.reports?.sendNow();
});
window.addEventListener('pagehide', () => {
  navigation += 1;
  const part = current;
  if (!part) return;
  // Events of frames follow those of their parents. Added now, the listener is called after those of
  // the content, so that the report that ends the launch contains what they set.
  const sendLast = () => part.reports?.sendLast();
  try {
    part.frame.contentWindow.addEventListener('pagehide', sendLast);
  } catch {
    // The content has gone to another origin, where it has no API object.
    sendLast();
  }
});
// A page restored from the back/forward cache has already sent its last report.
window.addEventListener('pageshow', (event) => event.persisted && location.reload());
