/** The language of a piece of text by its letters, for `lang`: faces, breaking and readers go by it. */

const KANA = /[\u3041-\u309f\u30a0-\u30ff]/;
const HANGUL = /[\uac00-\ud7af]/;
const HAN = /\p{Script=Han}/gu;
const LATIN = /\p{Script=Latin}+/gu;

/** `zh`, `ja`, `ko` or `en`; `null` where there is nothing to go by. A Latin word counts as one Han
 * character. */
export function tongueOf(text: string): "zh" | "ja" | "ko" | "en" | null {
  const sample = text.slice(0, 2000);
  const han = sample.match(HAN)?.length ?? 0;
  const latin = sample.match(LATIN)?.length ?? 0;
  if (KANA.test(sample)) return "ja";
  if (HANGUL.test(sample)) return "ko";
  if (han === 0 && latin === 0) return null;
  return han >= latin ? "zh" : "en";
}
