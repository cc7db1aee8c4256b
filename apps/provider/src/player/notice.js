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
    link.textContent = 'Go back';
    notice.append(link);
  }
  document.body.className = '';
  document.body.replaceChildren(notice);
  heading.focus();
}

/** The words of the page after the learner has left the course, by its outcome. */
export const endings = {
  completed: {
    title: 'You have completed the course',
    text: 'Your result is saved. You can close this window.',
  },
  failed: {
    title: 'You have not passed the course',
    text: 'Your result is saved. You can close this window.',
  },
  suspended: {
    title: 'You have left the course',
    text: 'Your progress is saved. Open the course again to continue. You can close this window.',
  },
  review: {
    title: 'You have left the course',
    text: 'This was a review: nothing was recorded. You can close this window.',
  },
};
