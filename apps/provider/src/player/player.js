/* global document, fetch, location, performance, queueMicrotask, setInterval, URL, window */
import { showContents } from './contents.js';
import { post, Reports } from './reports.js';
import { makeRunTime } from './run-time.js';

/** How often the time in the course is saved while nothing else changes: milliseconds. */
const heartbeat = 60_000;

const element = (id) => document.getElementById(id);
const exitButton = element('exit');

/**
 * @typedef {object} Part the part of the course that is open
 * @property {HTMLIFrameElement} frame
 * @property {Reports | null} reports null in a review
 * @property {() => boolean} isRunning whether its content still may have something to say
 * @property {() => void} offer gives its content something to talk to
 * @property {() => void} remove takes that away
 */

/** @type {Part | null} */
let current = null;
/** While the part that is open is being left. @type {Promise<void> | null} */
let closing = null;
/** Counts where the learner, or the content, wanted to go: only the last one is followed. */
let wish = 0;

const course = await readCourse();
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
  const answer = await fetch(new URL('course', document.baseURI));
  if (answer.ok) return answer.json();
  stop(answer.status);
  throw new Error(`the course cannot be read: ${answer.status}`);
}

/** Leaves the part that is open, and opens another. */
async function open(activityId) {
  const mine = (wish += 1);
  showMessage('');
  contents.showCurrent(activityId);
  try {
    await close();
    if (mine !== wish) return;
    const answer = await post('openings', JSON.stringify({ activityId }));
    if (!answer.ok) return stop(answer.status);
    const part = await prepare(activityId, await answer.json());
    if (mine !== wish) return;
    current = part;
    part.offer();
    element('stage').replaceChildren(part.frame);
    part.frame.focus();
    void part.reports?.now();
  } catch {
    showMessage(
      'The course cannot be reached. Check your connection, then load this page again.',
      true,
    );
  }
}

/** Ends the part that is open: its content is taken away, and what it says last is saved. */
function close() {
  if (!current) return Promise.resolve();
  closing ??= end(current).finally(() => (closing = null));
  // Again for each who wants to leave: content may have asked the learner to stay.
  current.frame.contentWindow.location.replace('about:blank');
  return closing;
}

async function end(part) {
  await new Promise((resolve) => part.frame.addEventListener('load', resolve, { once: true }));
  part.remove();
  await part.reports?.now();
  part.reports?.stop();
  part.frame.remove();
  current = null;
}

/** @returns {Promise<Part>} */
async function prepare(activityId, { href, isSco, runtime, seconds, sitting }) {
  const mine = wish;
  const began = performance.now();
  let stopped = null;
  let runTime = null;
  const read = () => ({
    runtime: runTime?.data() ?? {},
    seconds: seconds + ((stopped ?? performance.now()) - began) / 1000,
    // A part that cannot report is over when it has been shown.
    ended: runTime?.ended() ?? true,
  });
  const tell = { saved: showSaved, delayed: showDelayed, refused: stop };
  const reports = course.tracking ? new Reports({ activityId, sitting }, read, tell) : null;
  const at = course.activities.indexOf(activityId);
  const ways = { next: course.activities[at + 1], previous: course.activities[at - 1] };
  if (isSco) {
    runTime = await makeRunTime(course.standard, runtime, ways, course.activities, {
      changed: () => reports?.soon(),
      committed: () => void reports?.now(),
      ended: (request) => {
        stopped ??= performance.now();
        void reports?.now();
        // The content is still in its call; and where it is taken away already, it goes nowhere.
        queueMicrotask(() => mine === wish && follow(request, ways));
      },
    });
  }
  const frame = document.createElement('iframe');
  frame.title = titles.get(activityId) ?? course.title;
  frame.allow = 'autoplay; fullscreen; encrypted-media; picture-in-picture';
  frame.src = new URL(`content/${href}`, document.baseURI).href;
  return {
    frame,
    reports,
    isRunning: () => stopped === null,
    offer: () => runTime?.offer(),
    remove: () => runTime?.remove(),
  };
}

/** Goes where content asked to go when it ended its session. */
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
  showMessage(
    course.activities.length > 1
      ? 'This part has ended. Choose another one, or leave the course with Exit.'
      : 'The course has ended. Leave it with Exit.',
  );
}

/** Saves, ends the window and goes where the launch said. */
async function exit() {
  const mine = (wish += 1);
  exitButton.disabled = true;
  try {
    await close();
    if (mine !== wish) return;
    const answer = await post('exit', '{}');
    if (!answer.ok) return stop(answer.status);
    const { redirectUrl } = await answer.json();
    if (redirectUrl === null) showNotice('You have left the course', 'You can close this window.');
    else location.replace(redirectUrl);
  } catch {
    exitButton.disabled = false;
    showMessage('The course cannot be reached. Check your connection and try again.', true);
  }
}

function showSaved(standings) {
  showSaving('Saved');
  contents.showStandings({ ...course.standings, ...standings });
}

function showDelayed() {
  showSaving('Not saved yet. Trying again…');
}

/** Written only when it is news: it is read out to those who do not see it. */
function showSaving(text) {
  const saving = element('saving');
  if (saving && saving.textContent !== text) saving.textContent = text;
}

/** The provider takes nothing more from this window: going on would lose what the learner does. */
function stop(status) {
  wish += 1;
  current?.reports?.stop();
  current = null;
  const isElsewhere = status === 409;
  showNotice(
    'This window has ended',
    isElsewhere
      ? 'The course was opened again, or was left, in another window. Go on there, or open it again.'
      : 'Nothing more can be saved here. Open the course again where you found it.',
  );
}

function showMessage(text, isTrouble = false) {
  const message = element('message');
  message.hidden = text === '';
  message.textContent = text;
  message.classList.toggle('trouble', isTrouble);
}

function showNotice(title, text) {
  const heading = document.createElement('h1');
  const words = document.createElement('p');
  const notice = document.createElement('main');
  notice.className = 'notice';
  heading.textContent = title;
  heading.tabIndex = -1;
  words.textContent = text;
  notice.append(heading, words);
  document.body.className = '';
  document.body.replaceChildren(notice);
  heading.focus();
}

setInterval(() => current?.isRunning() && void current.reports?.now(), heartbeat);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void current?.reports?.now();
});
window.addEventListener('pagehide', () => {
  wish += 1;
  // The content may have its own last words after this: they are reported in the same manner.
  current?.reports?.part();
});
// A page that comes back from the browser's store has said its last words.
window.addEventListener('pageshow', (event) => event.persisted && location.reload());
