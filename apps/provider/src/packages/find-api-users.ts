import type { LaunchableActivity } from './course-structure.ts';
import type { CoursePackage } from './open-package.ts';

/** Larger files, and more of them, are not searched: pages that call the API by hand are small. */
const searched = { files: 100, fileBytes: 512 * 1024 };

/** The names under which content finds the API, and its first call. */
const apiCall = /\bLMSInitialize\b|\bAPI_1484_11\b/;
const scriptSource = /<script\b[^<>]{0,1000}?\ssrc\s*=\s*["']?([^"'\s>?#]+)/gi;

/** Returns the activities whose page, or a script of their page, calls the API. */
export async function findApiUsers(
  activities: readonly LaunchableActivity[],
  { find, read, sizes }: Pick<CoursePackage, 'find' | 'read' | 'sizes'>,
): Promise<LaunchableActivity[]> {
  const texts = new Map<string, string>();
  const textOf = async (path: string): Promise<string> => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    const isSearched = texts.size < searched.files && (sizes.get(path) ?? 0) <= searched.fileBytes;
    const text = isSearched ? (await read(path, searched.fileBytes))?.toString('latin1') : '';
    texts.set(path, text ?? '');
    return text ?? '';
  };
  const users: LaunchableActivity[] = [];
  for (const activity of activities) {
    if (texts.size >= searched.files) break;
    const address = new URL(activity.resource.href, packageRoot);
    const page = await textOf(decodeURIComponent(address.pathname.slice(1)));
    const scripts = [...page.matchAll(scriptSource)].flatMap(([, source = '']) => {
      const path = pathOf(source, address);
      return (path !== undefined && find(path)) || [];
    });
    const sources = [page];
    for (const script of new Set(scripts)) sources.push(await textOf(script));
    if (sources.some((text) => apiCall.test(text))) users.push(activity);
  }
  return users;
}

const packageRoot = 'package://package/';

/** The path in the package of what a page refers to; undefined if that is elsewhere. */
function pathOf(source: string, page: URL): string | undefined {
  try {
    const { href, pathname } = new URL(source, page);
    return href.startsWith(packageRoot) ? decodeURIComponent(pathname.slice(1)) : undefined;
  } catch {
    return undefined;
  }
}
