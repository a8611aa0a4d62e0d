/** Whether a key press belongs to an input method; then no key of ours acts. */

interface Pressed {
  nativeEvent?: { isComposing: boolean; keyCode: number };
  isComposing?: boolean;
  keyCode?: number;
}

export function composing(event: Pressed): boolean {
  const native = event.nativeEvent ?? event;
  return native.isComposing === true || native.keyCode === 229;
}
