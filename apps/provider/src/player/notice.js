import { texts } from './texts.js';

/**
 * Shows a page in place of the course.
 *
 * @param {{ title: string, text: string }} words
 * @param {string | null} redirectUrl the page to which the learner can go back
 */
export function showNotice({ title, text }, redirectUrl) {
  const heading = document.createElement('h1');
  const paragraph = document.createElement('p');
  const notice = document.createElement('main');
  notice.className = 'notice';
  heading.textContent = title;
  heading.tabIndex = -1;
  paragraph.textContent = text;
  notice.append(heading, paragraph);
  if (redirectUrl !== null) {
    const link = document.createElement('a');
    link.className = 'primary';
    link.href = redirectUrl;
    link.textContent = texts.goBack;
    notice.append(link);
  }
  document.body.className = '';
  document.body.replaceChildren(notice);
  heading.focus();
}
