/**
 * Compares the responses of several systems, byte by byte.
 *
 * @throws {Error} that names the system whose response differs from the first one's, or has another status than 200
 */
export async function requireSameResponses(urls: Readonly<Record<string, string>>): Promise<void> {
  const [[, first] = ['', ''], ...others] = await Promise.all(
    Object.entries(urls).map(async ([system, url]) => {
      const response = await fetch(url);
      if (response.status !== 200) throw new Error(`${system} returned ${response.status}`);
      return [system, await response.text()] as const;
    }),
  );
  for (const [system, text] of others) {
    if (text === first) continue;
    const at = [...text].findIndex((character, place) => character !== first[place]);
    const [theirs, ours] = [text, first].map((each) => each.slice(Math.max(0, at - 40), at + 40));
    throw new Error(`${system} returned …${theirs}… instead of …${ours}…`);
  }
}
