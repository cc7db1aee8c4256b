import { texts } from './texts.js';

/** Refusals of parts that the contents do not show. */
const hiding = ['hidden', 'unavailable'];
/** Refusals of navigation buttons that the course has no use for, or not yet. */
const useless = ['noFlow', 'notNow'];

/** The text for a refusal of the provider. */
export const reasonOf = (refusal) => texts.refusals[refusal] ?? texts.refusals.notNow;
export const isHiding = (refusal) => refusal === undefined || hiding.includes(refusal);

/**
 * Shows whether a button can be used. One that cannot remains in the order of focus, so that everybody
 * can read why.
 *
 * @param {HTMLButtonElement} button
 * @param {string | null} refusal
 */
export function setUsable(button, refusal) {
  if (refusal === null) {
    for (const name of ['aria-disabled', 'aria-description', 'title']) button.removeAttribute(name);
    return;
  }
  button.setAttribute('aria-disabled', 'true');
  button.setAttribute('aria-description', reasonOf(refusal));
  button.title = reasonOf(refusal);
}

export const isUsable = (button) => button.getAttribute('aria-disabled') !== 'true';

/** Shows a navigation button, unless the course does without it. */
export function showControl(button, refusal, isHidden) {
  button.hidden = isHidden || useless.includes(refusal);
  setUsable(button, refusal);
}
