/** Pictures of the card where a text calls for them: `![](embeded://…)`, `{{img::name}}`, `<img="name">`,
 * `<img src="name">`. Names that the card does not have stay as they were written. Pure. */

/** Where a picture is, by every name and address that texts may call it by, in lower case. */
export type Assets = ReadonlyMap<string, string>;

export const NO_ASSETS: Assets = new Map();

interface AssetTold {
  names: readonly string[];
  picture: string;
}

/** The map of what the server lists; the first picture of a name keeps it. */
export function assetsOf(listed: readonly AssetTold[]): Assets {
  const made = new Map<string, string>();
  for (const { names, picture } of listed)
    for (const name of names)
      for (const called of [keyOf(name), bareOf(name)])
        if (!made.has(called)) made.set(called, picture);
  return made;
}

const MARKDOWN =
  /!\[([^\]\n]*)\]\(\s*<?((?:embeded|embedded):\/\/[^)>\n]+|__asset:[^)>\n]+)>?\s*\)/gi;
const SHOWN = /\{\{\s*(?:img|image|asset|emotion)\s*::\s*([^{}\n]+?)\s*\}\}/gi;
const ADDRESS = /\{\{\s*(?:raw|path)\s*::\s*([^{}\n]+?)\s*\}\}/gi;
const SHORT = /<img\s*=\s*["']?([^"'>\n]+)["']?\s*\/?>/gi;
const NAMED = /(<img\b[^>\n]*?\bsrc\s*=\s*["'])([^"'>\n]+)(["'])/gi;

/** The text with the card's pictures at their places. */
export function withAssets(text: string, assets: Assets): string {
  if (assets.size === 0 || !/[[{<]/.test(text)) return text;
  const found = (name: string) => assets.get(keyOf(name)) ?? assets.get(bareOf(name));
  return text
    .replace(MARKDOWN, (whole, alt: string, address: string) => {
      const place = found(address);
      return place === undefined ? whole : `![${alt}](${place})`;
    })
    .replace(SHOWN, (whole, name: string) => picture(found(name), name) ?? whole)
    .replace(SHORT, (whole, name: string) => picture(found(name), name) ?? whole)
    .replace(ADDRESS, (whole, name: string) => found(name) ?? whole)
    .replace(NAMED, (whole, before: string, name: string, after: string) => {
      const place = found(name);
      return place === undefined ? whole : `${before}${place}${after}`;
    });
}

function picture(place: string | undefined, name: string): string | undefined {
  if (place === undefined) return undefined;
  const words = name.replace(/[&<>"]/g, "");
  return `<img src="${place}" alt="${words}">`;
}

function keyOf(name: string): string {
  return name
    .trim()
    .replace(/^(?:embeded|embedded):\/\/|^__asset:/i, "")
    .toLowerCase();
}

/** Texts leave the ending of a file out, or have one that its name has not. */
function bareOf(name: string): string {
  return keyOf(name).replace(/\.(?:png|jpe?g|webp|gif)$/, "");
}
