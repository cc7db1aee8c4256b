/** Why a part or a navigation button cannot be used, by the refusals of the provider. */
const reasons = {
  unavailable: 'This part does not belong to this attempt.',
  notChoosable: 'This part is reached with Continue and Previous.',
  hidden: 'This part cannot be chosen now.',
  disabled: 'This part is not available now.',
  noAttemptsLeft: 'All attempts on this part have been used.',
  noFlow: 'Choose a part from the contents.',
  forwardOnly: 'This course goes forward only.',
  stopped: 'A part before this one has to be finished first.',
  choiceExit: 'The open part has to be finished first.',
  preventActivation: 'This part is reached from the parts before it.',
  constrained: 'Only the parts next to the open one can be chosen.',
  nothingThere: 'There is no further part here.',
  prerequisites: 'Other parts have to be completed first.',
  notNow: 'This is not possible now.',
};

/** Refusals of parts that the contents do not show. */
const hiding = ['hidden', 'unavailable'];
/** Refusals of navigation buttons that the course has no use for, or not yet. */
const useless = ['noFlow', 'notNow'];

export const reasonOf = (refusal) => reasons[refusal] ?? reasons.notNow;
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
