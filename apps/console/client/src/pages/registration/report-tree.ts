/** An element of a report: a text, or a group of others. */
export interface ReportNode {
  /** Unique in the tree. */
  readonly path: string;
  /** The element's name. */
  readonly name: string;
  /** The `id` of an activity, objective or interaction; empty for others. */
  readonly id: string;
  /** Of a text. */
  readonly text: string;
  readonly children: readonly ReportNode[];
}

/** The most elements of a report that are shown. */
const maxNodes = 20_000;

/** Elements that only group those of one kind. */
const groups = new Set(['children']);

/**
 * Reads a report of the API (`full_result` or `course_result`). Empty elements are left out.
 *
 * @returns the elements below the report's root; null when it is not readable
 */
export function reportTree(xml: string): { nodes: ReportNode[]; isCut: boolean } | null {
  const parsed = new DOMParser().parseFromString(xml, 'application/xml');
  if (parsed.querySelector('parsererror')) return null;
  const root = parsed.querySelector('registrationreport') ?? parsed.documentElement;
  let left = maxNodes;
  const nodesOf = (element: Element, path: string): ReportNode[] =>
    [...element.children].flatMap((child, place): ReportNode[] => {
      if (left === 0) return [];
      const childPath = `${path}/${place}`;
      if (groups.has(child.tagName)) return nodesOf(child, childPath);
      const id = child.getAttribute('id') ?? '';
      const isText = child.children.length === 0;
      const text = isText ? (child.textContent ?? '').trim() : '';
      if (isText && text === '' && id === '') return [];
      left -= 1;
      const children = isText ? [] : nodesOf(child, childPath);
      if (!isText && children.length === 0 && id === '') return [];
      return [{ path: childPath, name: child.tagName, id, text, children }];
    });
  const nodes = nodesOf(root, '');
  return { nodes, isCut: left === 0 };
}

/** The text of the element `name` in a node. */
export const textIn = ({ children }: ReportNode, name: string): string =>
  children.find((child) => child.name === name)?.text ?? '';
