import { texts } from './texts.js';

/**
 * Asks learners whether they want to leave the course. In a frame of another site, browsers have no `confirm`.
 *
 * @returns {Promise<boolean>}
 */
export function confirmExit() {
  const dialog = document.createElement('dialog');
  const form = document.createElement('form');
  const text = document.createElement('p');
  text.textContent = texts.confirmExit.question;
  // A modal dialog without a name is announced as a dialog alone.
  text.id = 'question';
  dialog.setAttribute('aria-labelledby', text.id);
  const choices = [
    ['leave', texts.confirmExit.leave, 'primary'],
    ['stay', texts.confirmExit.stay, 'secondary'],
  ].map(([value, label, className]) => {
    const button = document.createElement('button');
    Object.assign(button, { value, textContent: label, className });
    return button;
  });
  form.method = 'dialog';
  form.append(text, ...choices);
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'leave');
    });
  });
}
