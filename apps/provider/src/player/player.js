import { confirmExit } from './confirm-exit.js';
import { showContents } from './contents.js';
import { foldContents } from './fold.js';
import { showNotice } from './notice.js';
import { post, postUntilAnswered, untilAnswered } from './post.js';
import { isUsable, reasonOf, showControl } from './refusals.js';
import { Reports } from './reports.js';
import { Retry } from './retry.js';
import { makeRunTime } from './run-time.js';
import { showStyleSheet } from './style-sheet.js';
import { counted, texts, timed } from './texts.js';

/** Interval at which the time in the course is saved if nothing else changes. */
const heartbeatMs = 60_000;

const element = (id) => document.getElementById(id);
const exitButton = element('exit');
const endButton = element('end');
const directions = { continue: element('continue'), previous: element('previous') };
/** Navigation requests that leave the course: the provider may get them twice. */
const leaving = ['suspendAll', 'exitAll', 'abandonAll'];

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
/** Whether the open part is being closed for another one. */
let movesOn = false;
/** The number of the latest navigation by the learner or the content, which cancels earlier ones. */
let navigation = 0;
/** Settles when the provider has answered the latest navigation request. */
let answered = Promise.resolve();
/** The id of the part that is open or was open last. @type {string | null} */
let currentId = null;
/** Which navigation requests are valid: null, or why one is not. */
let available = { continue: 'notNow', previous: 'notNow', choices: {} };

/** What follows the end of the open part, as the provider has answered. @type {string | null} */
let exitAction = null;

/** When everything was stored last. @type {Date | null} */
let savedAt = null;
/** Whether the course is being left. */
let isLeaving = false;
/** Whether the message says what is not saved. */
let showsUnsaved = false;

/** Where the learner goes after the course; null for a page of the player. */
let redirectUrl = null;
/** The answer to the start of the course, which is requested beside its description to save a round trip. */
const starting = postUntilAnswered(
  'navigation',
  JSON.stringify({ command: 'start', current: null }),
  { isWanted: () => navigation < 2, delayed: showUnreachable },
);
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
const contents = showContents(element('contents'), course.outline, (id) => {
  fold.uncover();
  void navigate('choice', id);
});
const fold = foldContents({
  button: element('fold'),
  contents: element('contents'),
  stage: element('stage'),
});

document.title = course.title;
if (course.cssUrl !== null) showStyleSheet(course.cssUrl);
element('title').textContent = course.title;
contents.showStandings(course.standings);
if (!course.tracking) element('saving').textContent = texts.review;
// While the course is being left, the part is closed again: the learner may have answered "stay" to its prompt.
exitButton.addEventListener('click', () => void (isLeaving ? close() : exit()));
endButton.addEventListener('click', () => void (isLeaving ? close() : navigate('exitAll')));
for (const [command, button] of Object.entries(directions)) {
  button.addEventListener('click', () => isUsable(button) && void navigate(command));
}
void navigate('start');

async function readCourse() {
  const send = () => fetch(new URL('course', document.baseURI));
  const { response } = await untilAnswered(send, {
    isWanted: () => true,
    delayed: showUnreachable,
  });
  showMessage('');
  if (response.ok) return response.json();
  stop(response.status);
  throw new Error(`the course cannot be read: status ${response.status}`);
}

/**
 * Closes the open part, and executes a navigation request.
 *
 * @returns {Promise<boolean>} false if the learner is still in the course without an open part
 */
async function navigate(command, target) {
  const thisNavigation = (navigation += 1);
  const leaves = leaving.includes(command);
  isLeaving = leaves;
  showMessage('');
  if (command === 'choice') contents.showCurrent(target);
  movesOn = command !== 'suspendAll';
  try {
    await close();
    // The provider answers one request after the other, so that none skips a part unseen.
    await answered;
    if (thisNavigation !== navigation) return true;
    const answering = request(command, target);
    answered = answering.then(
      () => undefined,
      () => undefined,
    );
    const answer = await answering;
    if (answer === null) return true;
    const { response, isRepeated } = answer;
    if (response.status >= 500) throw new Error('the provider is unavailable');
    if (!response.ok) {
      stop(response.status);
      return true;
    }
    if (isRepeated && !leaves) showMessage('');
    const { activity, ended: endsNow, refusal, ...state } = await response.json();
    // A request to leave opens nothing if the course has ended before, such as by a request whose response was lost.
    const ended = endsNow || (leaves && activity === null);
    if (activity) currentId = activity.id;
    if (thisNavigation !== navigation) return true;
    showState(state);
    if (ended) await leave();
    else if (activity) await show(activity);
    else {
      contents.showCurrent(currentId);
      showMessage(refusal === null || refusal === 'noFlow' ? chooseNext() : reasonOf(refusal));
      fold.offer();
    }
    return ended || activity !== null;
  } catch {
    isLeaving = false;
    showMessage(texts.unreachable, true);
    return true;
  }
}

/**
 * Requests a navigation. Only requests to start and to leave are repeated.
 *
 * @returns {Promise<{ response: Response, isRepeated: boolean } | null>}
 */
function request(command, target) {
  if (command === 'start') return starting;
  const body = JSON.stringify({ command, target, current: currentId });
  if (leaving.includes(command)) {
    return postUntilAnswered('navigation', body, untilNavigation(navigation));
  }
  return post('navigation', body).response.then((response) => ({ response, isRepeated: false }));
}

/** Opens a part. */
async function show(activity) {
  const thisNavigation = navigation;
  contents.showCurrent(activity.id);
  const part = await prepare(activity);
  if (thisNavigation !== navigation) return;
  current = part;
  exitAction = null;
  movesOn = false;
  showControls();
  part.install();
  element('stage').replaceChildren(part.frame);
  part.frame.focus();
  void part.reports?.sendNow();
}

/** The words for a learner who has no part open. */
function chooseNext() {
  return currentId === null ? texts.choosePart : texts.partEnded;
}

/** Shows what the provider knows of the course after a request or report. */
function showState({ standings, available: now }) {
  contents.showStandings({ ...course.standings, ...standings });
  if (now === null) return;
  available = now;
  contents.showAvailable(available.choices);
  showControls();
}

/** Shows the navigation buttons, without those that the open part replaces. */
function showControls() {
  const isSingle = course.partCount < 2;
  const hidden = (current && course.hiddenControls[currentId]) || [];
  const isHidden = (control) => hidden.includes(control);
  fold.use(!isSingle && course.showsContents);
  for (const [command, button] of Object.entries(directions)) {
    showControl(button, available[command], isSingle || isHidden(command));
  }
  const { isSequenced, returnAction } = course;
  endButton.hidden = !isSequenced || isHidden('exitAll') || returnAction === 'SUSPEND_ALL';
  // Learners can always leave.
  exitButton.hidden = (isHidden('suspendAll') || returnAction === 'EXIT_ALL') && !endButton.hidden;
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
  // A rejected report has ended the window.
  if (current !== part) return;
  current = null;
  showControls();
}

/** @returns {Promise<Part>} */
async function prepare({ id, href, usesApi, runtime, sharedData, seconds, sitting }) {
  const thisNavigation = navigation;
  const startedAt = performance.now();
  let stoppedAt = null;
  // The session of an asset ends as soon as it is shown, unless its content initializes one.
  let isInSession = usesApi;
  // Content that was left before it initialized has nothing to resume.
  let isInitialized = false;
  const read = () => ({
    runtime: isInitialized ? runTime.data() : {},
    seconds: seconds + ((stoppedAt ?? performance.now()) - startedAt) / 1000,
    ended: !isInSession || runTime.ended(),
  });
  const callbacks = { saved: showSaved, delayed: showDelayed, rejected: stop };
  const opening = { activityId: id, sitting };
  const reports = course.tracking
    ? new Reports(opening, course.reportIntervalMs, read, callbacks)
    : null;
  const surroundings = {
    available: () => available,
    sharedData,
    changed: () => reports?.schedule(),
  };
  const runTime = await makeRunTime(course.standard, runtime, surroundings, {
    initialized: () => {
      isInSession = true;
      isInitialized = true;
      reports?.begin();
    },
    committed: () => reports?.commit(),
    movesOn: () => movesOn,
    ended: (request) => {
      stoppedAt ??= performance.now();
      const saved = reports?.sendNow();
      // After the content's call has returned, and only if the learner has not navigated away.
      queueMicrotask(() => thisNavigation === navigation && void follow(request, saved));
    },
  });
  const frame = document.createElement('iframe');
  frame.title = titles.get(id) ?? course.title;
  frame.allow = 'autoplay; fullscreen; encrypted-media; picture-in-picture';
  frame.addEventListener('load', () => listenToLeaving(frame));
  reloadUnavailable(frame);
  frame.src = new URL(course.content + href, document.baseURI).href;
  return {
    frame,
    reports,
    isRunning: () => stoppedAt === null,
    install: runTime.install,
    uninstall: runTime.uninstall,
  };
}

/** Loads the page of content again when the provider could not serve it. */
function reloadUnavailable(frame) {
  const retry = new Retry();
  let isFailing = false;
  frame.addEventListener('load', () => {
    const hasFailed = statusOf(frame) >= 500;
    if (hasFailed) {
      showUnreachable();
      retry.schedule(() => frame.contentWindow.location.reload());
    } else if (isFailing) {
      showMessage('');
      retry.reset();
    }
    isFailing = hasFailed;
  });
}

/** The HTTP status of the page in a frame; 0 if the browser does not tell it. */
function statusOf(frame) {
  try {
    const [navigated] = frame.contentWindow.performance.getEntriesByType('navigation');
    return navigated?.responseStatus ?? 0;
  } catch {
    // The content has gone to another origin.
    return 0;
  }
}

/** When content closes the window, Chromium skips the events of frames that have no listener by then. */
function listenToLeaving(frame) {
  try {
    frame.contentWindow.addEventListener('pagehide', () => undefined);
  } catch {
    // The content has gone to another origin.
  }
}

/**
 * Follows the navigation request with which content ended its session, or does what the settings of the course say.
 *
 * @param {Promise<void> | undefined} saved settles when the provider has answered the last report; none in a review
 */
async function follow(request, saved) {
  const isDone = request !== null && (await navigate(request.command, request.target ?? undefined));
  const isSingle = course.partCount < 2;
  if (isDone || (request !== null && !isSingle)) return;
  if (course.isSequenced) {
    if (isSingle) await navigate('exitAll');
    else offerContents();
    return;
  }
  const thisNavigation = navigation;
  await saved;
  if (thisNavigation !== navigation) return;
  await perform(exitAction ?? (isSingle ? 'EXIT_COURSE' : 'DISPLAY_MESSAGE'));
}

/** Does what follows the end of a part. */
async function perform(action) {
  if (action === 'EXIT_COURSE') return leave();
  if (action === 'GO_TO_NEXT_SCO') return navigate('continue');
  if (action === 'DO_NOTHING') return;
  const thisNavigation = navigation;
  const leavesNow = action === 'EXIT_COURSE_AFTER_CONFIRM' && (await confirmExit());
  if (thisNavigation !== navigation) return;
  if (leavesNow) return leave();
  offerContents();
}

/** Has the learner choose the next part. */
function offerContents() {
  showMessage(chooseNext());
  fold.offer();
}

/** Saves, and suspends the course until it is launched again. */
async function exit() {
  isLeaving = true;
  const isDone = course.isSequenced && currentId !== null && (await navigate('suspendAll'));
  if (!isDone) await leave();
}

/** Ends the course window and goes to the redirect URL, or shows how the course ended. */
async function leave() {
  const thisNavigation = (navigation += 1);
  movesOn = false;
  isLeaving = true;
  try {
    await close();
    if (thisNavigation !== navigation) return;
    const answer = await postUntilAnswered('exit', '{}', untilNavigation(thisNavigation));
    if (answer === null) return;
    const { response, isRepeated } = answer;
    const isLost = isRepeated && response.status === 410;
    if (!response.ok && !isLost) return stop(response.status);
    const { outcome } = isLost ? { outcome: 'left' } : await response.json();
    if (leaveToOpener({ redirectUrl, outcome })) return;
    if (redirectUrl === null) showNotice(texts.endings[outcome], null);
    else location.replace(redirectUrl);
  } catch {
    isLeaving = false;
    showMessage(texts.unreachable, true);
  }
}

/** Closes a window that the page of the launch has opened for the player, and lets that page go on. */
function leaveToOpener(ending) {
  if (!location.pathname.endsWith('/player.html') || !window.opener) return false;
  window.opener.postMessage({ ending }, location.origin);
  window.close();
  return true;
}

/** A request is sent again until the learner navigates elsewhere. */
function untilNavigation(thisNavigation) {
  const isWanted = () => thisNavigation === navigation;
  const delayed = () => {
    if (!isWanted()) return;
    if (isLeaving) showUnsaved();
    else showUnreachable();
  };
  return { isWanted, delayed };
}

function showSaved(answer, isAll) {
  exitAction = answer.exitAction ?? exitAction;
  if (isAll) {
    savedAt = new Date();
    showSaving(texts.saved);
    if (showsUnsaved) showMessage('');
  }
  showState(answer);
}

function showDelayed() {
  // The learner goes on in a part that has not ended.
  if (!closing && !showsUnsaved && current?.isRunning()) showSaving(texts.notSaved);
  else showUnsaved();
}

/** Says what is saved and what is not, while the course cannot be reached. */
function showUnsaved() {
  const { cause, savedUntil, unsaved, allSaved, goesOn } = texts.offline;
  const count = current?.reports?.unsaved() ?? 0;
  const saved = count > 0 ? savedAt && timed(savedUntil, savedAt) : course.tracking && allSaved;
  const sentences = [cause, saved, count > 0 && counted(unsaved, count), goesOn];
  showMessage(sentences.filter(Boolean).join(' '), true);
  showsUnsaved = true;
  // The message replaces the status.
  if (course.tracking) showSaving('');
}

/** Says that the course cannot be reached now, and is tried again. */
function showUnreachable() {
  const { cause, goesOn } = texts.offline;
  showMessage(`${cause} ${goesOn}`, true);
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
  showNotice(status === 409 ? texts.stops.openElsewhere : texts.stops.ended, redirectUrl);
}

function showMessage(text, isError = false) {
  showsUnsaved = false;
  const message = element('message');
  message.hidden = text === '';
  // Screen readers announce every change.
  if (message.textContent !== text) message.textContent = text;
  message.classList.toggle('error', isError);
}

setInterval(() => current?.isRunning() && void current.reports?.sendNow(), heartbeatMs);
window.addEventListener('beforeunload', (event) => {
  if (!current?.reports?.prepareToLeave()) return;
  event.preventDefault();
  if (current.reports.isFailing()) showUnsaved();
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void current?.reports?.sendNow();
});
window.addEventListener('pagehide', () => {
  navigation += 1;
  const part = current;
  if (!part) return;
  // Content that has ended its session sets nothing more, and its frame may have been emptied.
  if (!part.isRunning()) return part.reports?.sendLast();
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
