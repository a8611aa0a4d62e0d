/** The same keys as the English words, each a text. */
export type Same<T> = { [K in keyof T]: T[K] extends string ? string : Same<T[K]> };
