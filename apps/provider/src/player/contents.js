import { isHiding, isUsable, setUsable } from './refusals.js';
import { texts } from './texts.js';

/**
 * Renders the table of contents: a button for each part, with the learner's status in it.
 *
 * @param {HTMLElement} nav the element to render into
 * @param {{ id: string, title: string, launchable: boolean, children: object[] }[]} outline
 * @param {(id: string) => void} onSelect called with the part that the learner selects
 */
export function showContents(nav, outline, onSelect) {
  const parts = new Map();

  const listOf = (items) => {
    const list = document.createElement('ol');
    list.append(...items.map(entryOf));
    return list;
  };
  const entryOf = (item) => {
    const entry = document.createElement('li');
    entry.append(item.launchable ? partOf(item, entry) : groupOf(item));
    if (item.children.length > 0) entry.append(listOf(item.children));
    return entry;
  };
  const partOf = ({ id, title }, entry) => {
    const button = document.createElement('button');
    const state = document.createElement('span');
    button.type = 'button';
    button.append(nameOf(title), ' ', state);
    button.addEventListener('click', () => isUsable(button) && onSelect(id));
    parts.set(id, { entry, button, state });
    return button;
  };
  const groupOf = ({ title }) => {
    const heading = document.createElement('p');
    heading.className = 'group';
    heading.append(nameOf(title));
    return heading;
  };

  /** A title has the direction of its own language, and not that of the page. */
  const nameOf = (title) => {
    const name = document.createElement('bdi');
    name.textContent = title;
    return name;
  };

  nav.replaceChildren(listOf(outline));
  return {
    /** @param {Record<string, { completion: string, success: string }>} standings */
    showStandings: (standings) => {
      for (const [id, { state }] of parts) {
        const { text, className } = labelOf(standings[id]);
        state.textContent = text;
        state.className = `state ${className}`;
      }
    },
    showCurrent: (current) => {
      for (const [id, { button }] of parts) {
        if (id === current) button.setAttribute('aria-current', 'true');
        else button.removeAttribute('aria-current');
      }
    },
    /**
     * Shows which parts can be chosen, in the order in which the learner meets them.
     *
     * @param {Record<string, string | null>} choices null, or why a part cannot be chosen, by its id
     */
    showAvailable: (choices) => {
      for (const [id, { entry, button }] of parts) {
        entry.hidden = isHiding(choices[id]);
        setUsable(button, choices[id] ?? null);
      }
      orderEntries(Object.keys(choices).flatMap((id) => parts.get(id)?.entry ?? []));
    },
  };
}

/** Orders entries within their lists. Those that are in order stay where they are, with their focus. */
function orderEntries(entries) {
  const byList = new Map();
  for (const entry of entries) {
    const list = entry.parentElement;
    byList.set(list, [...(byList.get(list) ?? []), entry]);
  }
  for (const [list, ordered] of byList) {
    const shown = [...list.children].filter((child) => ordered.includes(child));
    if (shown.some((child, at) => child !== ordered[at])) list.append(...ordered);
  }
}

function labelOf(standing) {
  const { notStarted, inProgress, completed, passed, failed } = texts.statuses;
  if (standing?.success === 'FAILED') return { text: failed, className: 'failed' };
  if (standing?.success === 'PASSED') return { text: passed, className: 'done' };
  if (standing?.completion === 'COMPLETED') return { text: completed, className: 'done' };
  const text = standing?.completion === 'INCOMPLETE' ? inProgress : notStarted;
  return { text, className: '' };
}
