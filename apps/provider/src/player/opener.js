import { showNotice } from './notice.js';
import { showStyleSheet } from './style-sheet.js';
import { texts } from './texts.js';

/** How often the page looks whether the window of the course is still open. */
const watchMs = 500;

const element = (id) => document.getElementById(id);
const openButton = element('open');

/** The window of the course. @type {Window | null} */
let opened = null;

const { title, launch, cssUrl } = await readCourse();
const isPopup = launch.type.endsWith('WITHOUT_BROWSER_TOOLBAR');

document.title = title;
if (cssUrl !== null) showStyleSheet(cssUrl);
element('title').textContent = title;
openButton.addEventListener('click', open);
window.addEventListener('message', ({ source, origin, data }) => {
  if (origin === location.origin && source === opened && data?.ending) end(data.ending);
});
if (launch.type.includes('AFTER_CLICK')) show(texts.opener.opens);
else open();
const watch = setInterval(() => {
  if (opened?.closed) show(texts.opener.closed);
}, watchMs);

async function readCourse() {
  const response = await fetch(new URL('course', document.baseURI));
  if (response.ok) return response.json();
  showNotice(texts.stops.ended, null);
  throw new Error(`the course cannot be read: status ${response.status}`);
}

/** Opens the window of the course, or shows it if it is open. */
function open() {
  if (opened && !opened.closed) return opened.focus();
  const sizes = ['width', 'height'].flatMap((name) =>
    launch[name] > 0 ? [`${name}=${launch[name]}`] : [],
  );
  const features = isPopup ? ['popup', ...sizes].join(',') : '';
  opened = window.open(new URL('player.html', document.baseURI), '_blank', features);
  if (opened) show(texts.opener.isOpen);
  else show(texts.opener.blocked);
}

/** Changes the text only if it differs, because screen readers announce every change. */
function show(text) {
  if (element('text').textContent !== text) element('text').textContent = text;
  openButton.hidden = false;
}

/** Goes on after the learner has left the course. */
function end({ redirectUrl, outcome }) {
  clearInterval(watch);
  if (redirectUrl === null) showNotice(texts.endings[outcome], null);
  else location.replace(redirectUrl);
}
