/** The replies in a set of either age; apart from its sheet so that it can be tried alone. */
export interface QuickReply {
  label: string;
  message: string;
}

/** Whatever is no reply is left out; the set itself is kept whole by the server. */
export function repliesOf(content: Readonly<Record<string, unknown>>): QuickReply[] {
  const list = content.qrList ?? content.quickReplySlots;
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => {
    if (typeof one !== "object" || one === null) return [];
    const { label, title, message, mes } = one as Record<string, unknown>;
    return [{ label: word(label) || word(title), message: word(message) || word(mes) }];
  });
}

function word(value: unknown): string {
  return typeof value === "string" ? value : "";
}
