/** The words that ask the model to change a piece of its latest reply, in the language of the story. */

const LONGEST = 400;

export function changeWords(language: "zh" | "en", quote: string, wish: string): string {
  const piece = quote.length > LONGEST ? `${quote.slice(0, LONGEST)}…` : quote;
  return language === "zh"
    ? `改一改上一拍里的「${piece}」：${wish}`
    : `Change this in the last reply: “${piece}” — ${wish}`;
}
