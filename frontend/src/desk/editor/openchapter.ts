/** A chapter that is open for editing: what of it is saved, what is not, and what came from elsewhere. No
 * React; the document itself lives in the editor. */
import { Annotation, ChangeSet, Transaction } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { asRefusal } from "@/api/problem";
import { makeStore } from "@/ui/store";
import type { Chapter, Files } from "../chapters/files";
import { forgetText, keepText, keptText } from "./kept";
import { between, both, changesOf, merged, docOf as textOf } from "./spans";

export type Saving =
  | { kind: "saved" }
  | { kind: "unsaved" }
  | { kind: "saving" }
  | { kind: "failed"; error: unknown }
  /** Both texts changed at the same place; `null`: the chapter is gone. */
  | { kind: "conflict"; theirs: Chapter | null };

/** What the document shall be where two texts clash. */
export type Choice = "mine" | "theirs" | "both";

/** What has the document while it is edited. */
export type Document = Pick<EditorView, "state" | "dispatch">;

/** Marks what came from elsewhere: it is saved already. */
export const elsewhere = Annotation.define<true>();

const IDLE_MS = 1_500;
const LONGEST_MS = 12_000;
const AGAIN_MS = 5_000;
/** From this length on a text is not kept with each key. */
const LONG = 200_000;
const KEEP_MS = 400;

export class OpenChapter {
  readonly saving = makeStore<Saving>({ kind: "saved" });
  /** Hash of the text that the document was last equal to on the server. */
  readonly hash = makeStore("");
  readonly files: Files;
  readonly name: string;
  #base: Chapter;
  #unsaved: ChangeSet;
  /** What was typed since a save was sent; `null`: none is under way. */
  #since: ChangeSet | null = null;
  #pulling = false;
  #view: Document | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #keeping: ReturnType<typeof setTimeout> | undefined;
  #dirtySince = 0;
  /** The text while no editor has it. */
  #text: string;

  private constructor(files: Files, base: Chapter, text: string, clash: Chapter | null) {
    this.files = files;
    this.name = base.name;
    this.#base = base;
    this.#unsaved = between(base.text, text);
    this.#text = text;
    this.hash.set(base.hash);
    if (clash !== null) this.saving.set({ kind: "conflict", theirs: clash });
    else if (!this.#unsaved.empty) this.#changed();
  }

  /** Read a chapter, and put in what this browser has kept of it. */
  static async open(files: Files, name: string): Promise<OpenChapter> {
    const now = await files.read(name);
    const kept = keptText(files.project, name);
    if (kept === null || kept.text === now.text) {
      keepText(files.project, name, null);
      return new OpenChapter(files, now, now.text, null);
    }
    if (kept.hash === now.hash) return new OpenChapter(files, now, kept.text, null);
    const base = await baseOf(files, name, kept.hash);
    const joined =
      base === null ? null : merged(between(base.text, kept.text), await leading(files, base, now));
    if (joined === null) return new OpenChapter(files, now, kept.text, now);
    const text = joined.toDocument.apply(textOf(kept.text)).toString();
    return new OpenChapter(files, now, text, null);
  }

  /** The text that the document begins with. */
  get text(): string {
    return this.#view?.state.doc.toString() ?? this.#text;
  }

  /** The changes from the saved text to the document. */
  get unsaved(): ChangeSet {
    return this.#unsaved;
  }

  /** An editor takes the document over; the returned function gives it back. */
  attach(view: Document): () => void {
    this.#view = view;
    return () => {
      void this.save();
      clearTimeout(this.#timer);
      this.#text = view.state.doc.toString();
      this.#view = null;
    };
  }

  /** Told of each change of the document. */
  heard(transaction: Transaction): void {
    if (!transaction.docChanged || transaction.annotation(elsewhere) === true) return;
    this.#unsaved = this.#unsaved.compose(transaction.changes);
    this.#since = this.#since?.compose(transaction.changes) ?? null;
    this.#keep();
    this.#changed();
  }

  /** Save now what is not saved. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    const { kind } = this.saving.get();
    if (this.#since !== null || kind === "conflict") return;
    const text = this.text;
    if (text === this.#base.text) {
      this.#settled(this.#base);
      return;
    }
    this.#since = ChangeSet.empty(text.length);
    this.saving.set({ kind: "saving" });
    try {
      this.#settled(await this.files.save(this.name, text, this.#base.hash));
    } catch (error) {
      this.#since = null;
      await this.#refused(error);
    }
  }

  /** Take in what the chapter is on the server now. */
  async pull(): Promise<void> {
    if (this.#since !== null || this.#pulling) return;
    this.#pulling = true;
    try {
      await this.#take(await this.files.read(this.name));
    } catch (error) {
      if (asRefusal(error).code === "chapter_not_found") this.#gone();
    } finally {
      this.#pulling = false;
    }
  }

  /** Settle a conflict. What is not taken is in the history all the same. */
  async settle(choice: Choice): Promise<void> {
    const now = this.saving.get();
    if (now.kind !== "conflict") return;
    this.saving.set({ kind: "saving" });
    try {
      if (now.theirs === null) await this.#settleGone(choice);
      else await this.#settleChanged(choice, now.theirs);
    } catch (error) {
      this.saving.set(now);
      if (asRefusal(error).code !== "chapter_changed") throw error;
      await this.pull();
    }
  }

  async #settleChanged(choice: Choice, theirs: Chapter): Promise<void> {
    const { files, name } = this;
    const mine = this.text;
    if (choice === "both") {
      this.#dispatch(between(mine, both(theirs.text, mine)));
      this.#settled(theirs);
      return this.save();
    }
    let saved = await files.save(name, mine, theirs.hash);
    if (choice === "theirs") {
      saved = await files.save(name, theirs.text, saved.hash);
      if (this.text === mine) this.#dispatch(between(mine, theirs.text));
    }
    this.#settled(saved);
  }

  async #settleGone(choice: Choice): Promise<void> {
    const { files, name } = this;
    const saved = await files.save(name, this.text, null);
    if (choice === "theirs") await files.remove(name, saved.hash);
    this.#settled(saved);
  }

  async #take(now: Chapter): Promise<void> {
    if (now.hash === this.#base.hash) return;
    const clash = this.saving.get().kind === "conflict";
    if (now.text === this.text) return this.#settled(now);
    const theirs = await leading(this.files, this.#base, now);
    if (this.#since !== null) return; // a save began meanwhile: its answer tells
    const joined = clash ? null : merged(this.#unsaved, theirs);
    if (joined === null) {
      clearTimeout(this.#timer);
      this.saving.set({ kind: "conflict", theirs: now });
      return;
    }
    this.#dispatch(joined.toDocument);
    this.#base = now;
    this.#unsaved = joined.unsaved;
    this.hash.set(now.hash);
    if (joined.unsaved.empty) this.#settled(now);
    else this.#keep();
  }

  #settled(saved: Chapter): void {
    this.#base = saved;
    this.#unsaved = this.#since ?? between(saved.text, this.text);
    this.#since = null;
    this.hash.set(saved.hash);
    if (this.#unsaved.empty) {
      clearTimeout(this.#keeping);
      forgetText(this.files.project, this.name, saved.text);
      this.#dirtySince = 0;
      this.saving.set({ kind: "saved" });
    } else {
      this.#keep();
      this.#changed();
    }
  }

  async #refused(error: unknown): Promise<void> {
    const { code, passing } = asRefusal(error);
    if (code === "chapter_changed") {
      this.saving.set({ kind: "unsaved" });
      await this.pull();
      if (this.saving.get().kind === "unsaved") this.#later(IDLE_MS);
      return;
    }
    this.saving.set({ kind: "failed", error });
    if (passing) this.#later(AGAIN_MS);
  }

  #gone(): void {
    if (this.#unsaved.empty) return; // there is nothing here that could be lost
    clearTimeout(this.#timer);
    this.saving.set({ kind: "conflict", theirs: null });
  }

  #changed(): void {
    if (this.saving.get().kind === "conflict") return;
    const now = performance.now();
    if (this.#dirtySince === 0) this.#dirtySince = now;
    if (this.#since === null) this.saving.set({ kind: "unsaved" });
    this.#later(Math.max(0, Math.min(IDLE_MS, this.#dirtySince + LONGEST_MS - now)));
  }

  #later(wait: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), wait);
  }

  /** Keep the text in this browser: at once, and where it is so long that this takes time, soon. */
  #keep(): void {
    clearTimeout(this.#keeping);
    const keep = () =>
      keepText(this.files.project, this.name, { hash: this.#base.hash, text: this.text });
    const { length } = this.#view?.state.doc ?? this.#text;
    if (length < LONG) keep();
    else this.#keeping = setTimeout(keep, KEEP_MS);
  }

  #dispatch(changes: ChangeSet): void {
    if (changes.empty) return;
    if (this.#view === null) {
      this.#text = changes.apply(textOf(this.#text)).toString();
      return;
    }
    const annotations = [elsewhere.of(true), Transaction.addToHistory.of(false)];
    this.#view.dispatch({ changes, annotations });
  }
}

/** A text of the chapter's history; `null` where there is none. */
async function baseOf(files: Files, name: string, hash: string): Promise<Chapter | null> {
  try {
    return { name, hash, text: (await files.compare(hash, hash)).to.text };
  } catch {
    return null;
  }
}

/** What leads from one text of a chapter to another; coarse where the history does not hold them. */
async function leading(files: Files, base: Chapter, now: Chapter): Promise<ChangeSet> {
  try {
    const { spans, from, to } = await files.compare(base.hash, now.hash);
    if (from.text === base.text && to.text === now.text)
      return changesOf(spans, base.text.length, now.text);
  } catch {
    // The coarse difference is as true.
  }
  return between(base.text, now.text);
}
