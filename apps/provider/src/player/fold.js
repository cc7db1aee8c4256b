/** The width up to which the contents lie over the course; the style sheet has it too. */
const narrow = window.matchMedia('(max-width: 45rem)');

/**
 * Lets the learner fold the contents away. Beside the course they are open at first. On a narrow screen they
 * lie over it, open on request, and Escape or a choice closes them. Their button gets the focus back.
 *
 * @param {{ button: HTMLButtonElement, contents: HTMLElement, stage: HTMLElement }} elements
 */
export function foldContents({ button, contents, stage }) {
  let isUsed = false;
  let isOpen = !narrow.matches;

  const show = () => {
    const hadFocus = contents.contains(document.activeElement);
    button.hidden = !isUsed;
    button.setAttribute('aria-expanded', String(isOpen));
    contents.hidden = !(isUsed && isOpen);
    stage.inert = isUsed && isOpen && narrow.matches;
    if (hadFocus && contents.hidden) button.focus();
  };
  const set = (open) => {
    isOpen = open;
    show();
  };
  const focusEntry = () => {
    const entry =
      contents.querySelector('[aria-current]') ?? contents.querySelector('li:not([hidden]) button');
    entry?.focus();
  };

  button.addEventListener('click', () => {
    set(!isOpen);
    if (isOpen) focusEntry();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !contents.hidden) set(false);
  });
  narrow.addEventListener('change', () => set(!narrow.matches));

  return {
    /** Shows the contents and their button, unless the course does without them. */
    use: (isUsedNow) => {
      isUsed = isUsedNow;
      show();
    },
    /** Uncovers the course. */
    uncover: () => narrow.matches && set(false),
    /** Has the learner choose from the contents. */
    offer: () => {
      if (!isUsed) return;
      set(true);
      focusEntry();
    },
  };
}
